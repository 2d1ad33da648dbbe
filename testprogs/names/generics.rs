// Generic functions and types of one name in several modules.
mod left {
    pub struct Item {
        pub price: [u32; 3],
    }
    #[inline(never)]
    pub fn total(of: &[Item]) -> u32 {
        of.iter().map(|item| item.price[0] + item.price[2]).sum()
    }
}

mod right {
    pub struct Item {
        pub mass: f64,
    }
    #[inline(never)]
    pub fn total(of: &[Item]) -> f64 {
        of.iter().map(|item| item.mass).sum()
    }
}

#[inline(never)]
fn largest<T: PartialOrd + Copy>(of: &[T]) -> T {
    let mut most = of[0];
    for &each in of {
        if each > most {
            most = each;
        }
    }
    most
}

fn main() {
    let mut whole = Vec::new();
    let mut real = Vec::new();
    let mut left = Vec::new();
    let mut right = Vec::new();
    for i in 0..7u32 {
        whole.push(i * 3 % 7);
        real.push(f64::from(i) * 0.5);
        left.push(left::Item { price: [i; 3] });
        right.push(right::Item { mass: f64::from(i) });
    }
    let sum = f64::from(largest(&whole) + left::total(&left)) + largest(&real) + right::total(&right);
    std::process::exit(i32::from(sum == 0.0));
}
