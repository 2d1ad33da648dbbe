// Closures, several of one function, with the older names for the linker.
use std::collections::BTreeMap;

#[inline(never)]
fn apply<F: FnMut(u64) -> u64>(mut of: F, count: u64) -> u64 {
    (0..count).map(|i| of(i)).sum()
}

fn main() {
    let mut seen = vec![0u64; 5];
    let mut map = BTreeMap::new();
    let first = apply(|i| { seen[(i % 5) as usize] += 1; i }, 7);
    let second = apply(|i| { *map.entry(i % 3).or_insert(0u64) += i; i }, 11);
    let third = apply(|i| seen[(i % 5) as usize] + map[&(i % 3)], 4);
    std::process::exit(i32::from(first + second + third == 0));
}
