// Values of Rust: numbers of all kinds, parts of slices. Writes sums.
use std::hint::black_box;

#[derive(Clone, Copy)]
pub struct Parcel {
    weight: f64,
    share: f32,
    count: u8,
}

#[no_mangle]
#[inline(never)]
pub fn weigh(parcel: &Parcel, turns: u16, more: f32) -> f64 {
    let mut sum = 0.0f64;
    let mut left = turns;
    while left > 0 {
        sum += parcel.weight * left as f64 + more as f64;
        left = black_box(left) - 1;
    }
    sum + parcel.share as f64 + parcel.count as f64
}

#[no_mangle]
#[inline(never)]
pub fn fold(all: &[i32], start: i64, half: bool) -> i64 {
    let mut total = start;
    for &one in all {
        total = total * 3 + one as i64;
        black_box(total);
    }
    if half {
        total / 2
    } else {
        total
    }
}

fn main() {
    let mut sum = 0.0;
    let mut total = 0i64;
    for i in 0..4u8 {
        let parcel = Parcel { weight: i as f64 * 0.3, share: i as f32, count: 250 + i };
        sum += weigh(&parcel, i as u16, 0.5);
        let all: Vec<i32> = (0..i as i32).map(|one| one * 7 - 9).collect();
        total += fold(&all, i as i64 - 2, i % 2 == 0);
    }
    println!("{} {}", sum, total);
}
