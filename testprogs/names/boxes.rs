//! Allocates for values of many types, each kind in a function of its own.
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

struct Item {
    id: u64,
    weight: f64,
    tag: [u8; 20],
}

struct Node {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
    key: u32,
}

fn item(id: u64) -> Item {
    Item { id, weight: 1.0, tag: [3; 20] }
}

#[inline(never)]
fn boxed() -> Box<Item> {
    Box::new(item(1))
}

#[inline(never)]
fn reserved(n: usize) -> Vec<Item> {
    let mut v = Vec::with_capacity(n);
    for i in 0..n {
        v.push(item(i as u64));
    }
    v
}

#[inline(never)]
fn pushed(n: usize) -> Vec<f64> {
    let mut v = Vec::new();
    for i in 0..n {
        v.push(i as f64);
    }
    v
}

#[inline(never)]
fn filled(n: usize) -> Vec<u32> {
    vec![7u32; n]
}

#[inline(never)]
fn collected(n: i64) -> Vec<i64> {
    (0..n).map(|x| x * x).collect()
}

#[inline(never)]
fn shared() -> Rc<RefCell<Item>> {
    Rc::new(RefCell::new(item(2)))
}

#[inline(never)]
fn atomic() -> Arc<Node> {
    Arc::new(Node { left: None, right: None, key: 5 })
}

#[inline(never)]
fn hashed(n: u32) -> HashMap<u32, Item> {
    let mut m = HashMap::new();
    for i in 0..n {
        m.insert(i, item(i as u64));
    }
    m
}

#[inline(never)]
fn set(n: u16) -> HashSet<u16> {
    (0..n).collect()
}

#[inline(never)]
fn sorted(n: u32) -> BTreeMap<u32, f64> {
    let mut m = BTreeMap::new();
    for i in 0..n {
        m.insert(i, i as f64);
    }
    m
}

#[inline(never)]
fn queue(n: u16) -> VecDeque<u16> {
    let mut q = VecDeque::new();
    for i in 0..n {
        q.push_back(i);
    }
    q
}

#[inline(never)]
fn tree(depth: u32) -> Option<Box<Node>> {
    if depth == 0 {
        return None;
    }
    Some(Box::new(Node { left: tree(depth - 1), right: tree(depth - 1), key: depth }))
}

#[inline(never)]
fn text(n: usize) -> String {
    let mut s = String::new();
    for _ in 0..n {
        s.push_str("some ");
    }
    s
}

#[inline(never)]
fn slice(n: i16) -> Box<[i16]> {
    (0..n).collect::<Vec<i16>>().into_boxed_slice()
}

fn main() {
    let (b, r, p, f, c) = (boxed(), reserved(30), pushed(50), filled(40), collected(30));
    let (s, a, h, t, q) = (shared(), atomic(), hashed(20), sorted(40), queue(50));
    let (n, x, w, e) = (tree(4), text(20), slice(30), set(30));
    let mut sum = b.weight + p[3] + f[2] as f64 + c[4] as f64 + s.borrow().weight + t[&3];
    sum += (r[2].id + r[3].tag[2] as u64 + h[&7].id) as f64 + a.key as f64 + q[3] as f64;
    sum += n.map_or(0, |n| n.key + n.left.map_or(0, |l| l.key) + n.right.map_or(0, |l| l.key)) as f64;
    println!("{} {} {} {}", sum, x.len(), w[3], e.len() + a.left.iter().count() + a.right.iter().count());
}
