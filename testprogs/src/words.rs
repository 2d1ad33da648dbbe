// Generic functions, traits, modules, a static variable, and maps of the library.
use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;

static mut SEEN: [u64; 101] = [0; 101];

struct Shelf<T> {
    items: Vec<T>,
}

trait Count {
    fn count(&self) -> usize;
}

impl<T: Display> Count for Shelf<T> {
    #[inline(never)]
    fn count(&self) -> usize {
        self.items.iter().map(|item| item.to_string().len()).sum()
    }
}

mod letters {
    #[inline(never)]
    pub fn note(word: &str) {
        for letter in word.bytes() {
            unsafe { super::SEEN[letter as usize % 101] += 1 }
        }
    }
}

#[inline(never)]
fn fill(table: &mut HashMap<String, Vec<u32>>) {
    for i in 0..211u32 {
        table.entry(format!("word{}", i % 29)).or_default().push(i);
    }
}

fn main() {
    let mut table = HashMap::new();
    fill(&mut table);
    let mut order = BTreeMap::new();
    for (word, places) in &table {
        letters::note(word);
        order.insert(word.clone(), places.len());
    }
    let shelf = Shelf { items: order.values().copied().collect::<Vec<_>>() };
    println!("{} {}", order.len(), shelf.count());
}
