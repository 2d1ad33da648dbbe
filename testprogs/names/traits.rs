// Implementations of a trait for several types, and statics of one name.
trait Count {
    fn count(&self) -> u64;
}

struct Box1<T>(Vec<T>);

impl Count for Box1<u8> {
    #[inline(never)]
    fn count(&self) -> u64 {
        static mut CALLS: [u64; 3] = [0; 3];
        unsafe { CALLS[self.0.len() % 3] += 1 }
        self.0.iter().map(|&x| u64::from(x)).sum()
    }
}

impl Count for Box1<u32> {
    #[inline(never)]
    fn count(&self) -> u64 {
        static mut CALLS: [u64; 5] = [0; 5];
        unsafe { CALLS[self.0.len() % 5] += 1 }
        self.0.iter().map(|&x| u64::from(x)).max().unwrap_or(0)
    }
}

#[inline(never)]
fn all(of: &[&dyn Count]) -> u64 {
    of.iter().map(|each| each.count()).sum()
}

fn main() {
    let bytes = Box1(vec![1u8, 2, 3]);
    let words = Box1(vec![4u32, 5, 6, 7]);
    std::process::exit(i32::from(all(&[&bytes, &words, &bytes]) == 0));
}
