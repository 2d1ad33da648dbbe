// Threads that wait for each other by atomic variables, wherever these lie; and one race.
use std::ptr::addr_of_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once};
use std::thread;

static FLAG: AtomicBool = AtomicBool::new(false);
static TAKEN: AtomicBool = AtomicBool::new(false);
static POINTER: AtomicPtr<u64> = AtomicPtr::new(std::ptr::null_mut());
static BEGUN: Once = Once::new();
static mut BEHIND_FLAG: u64 = 0;
static mut BEHIND_FIELD: u64 = 0;
static mut BEHIND_ELEMENT: u64 = 0;
static mut BEHIND_LOCAL: u64 = 0;
static mut RACED: u64 = 0;

struct Shared {
    name: u64,
    ready: AtomicUsize,
    parts: [AtomicU64; 3],
}

static SHARED: Shared = Shared {
    name: 1,
    ready: AtomicUsize::new(0),
    parts: [AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0)],
};

unsafe fn put(to: *mut u64) {
    to.write_volatile(to.read_volatile() + 1)
}

fn wait(until: impl Fn() -> bool) {
    while !until() {
        std::hint::spin_loop();
    }
}

fn give(list: &[AtomicU64], local: &AtomicBool) {
    unsafe { put(addr_of_mut!(RACED)) };
    unsafe { put(addr_of_mut!(BEHIND_FLAG)) };
    FLAG.store(true, Ordering::Release);
    wait(|| TAKEN.load(Ordering::Acquire));
    unsafe { put(addr_of_mut!(BEHIND_FIELD)) };
    SHARED.ready.store(1, Ordering::Release);
    unsafe { put(addr_of_mut!(BEHIND_ELEMENT)) };
    list[5].store(SHARED.name, Ordering::Release);
    SHARED.parts[1].store(2, Ordering::Release);
    POINTER.store(Box::into_raw(Box::new(3)), Ordering::Release);
    unsafe { put(addr_of_mut!(BEHIND_LOCAL)) };
    local.store(true, Ordering::Release);
}

fn take(list: &[AtomicU64], local: &AtomicBool) {
    unsafe { put(addr_of_mut!(RACED)) };
    wait(|| FLAG.load(Ordering::Acquire));
    unsafe { put(addr_of_mut!(BEHIND_FLAG)) };
    TAKEN.store(true, Ordering::Release);
    wait(|| SHARED.ready.load(Ordering::Acquire) == 1);
    unsafe { put(addr_of_mut!(BEHIND_FIELD)) };
    wait(|| list[5].load(Ordering::Acquire) == 1);
    unsafe { put(addr_of_mut!(BEHIND_ELEMENT)) };
    wait(|| SHARED.parts[1].load(Ordering::Acquire) == 2);
    wait(|| !POINTER.load(Ordering::Acquire).is_null());
    unsafe { put(POINTER.load(Ordering::Relaxed)) };
    wait(|| local.load(Ordering::Acquire));
    unsafe { put(addr_of_mut!(BEHIND_LOCAL)) };
}

fn main() {
    let list: Arc<Vec<AtomicU64>> = Arc::new((0..8).map(AtomicU64::new).collect());
    list[5].store(0, Ordering::Relaxed);
    let sum = Arc::new(Mutex::new(0u64));
    let local = AtomicBool::new(false);
    thread::scope(|both| {
        both.spawn(|| give(&list, &local));
        both.spawn(|| take(&list, &local));
    });
    let threads: Vec<_> = (0..3)
        .map(|_| {
            let (list, sum) = (list.clone(), sum.clone());
            thread::spawn(move || {
                BEGUN.call_once(|| unsafe { put(addr_of_mut!(BEHIND_FLAG)) });
                *sum.lock().unwrap() += list[0].load(Ordering::Relaxed);
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    println!("{}", *sum.lock().unwrap());
}
