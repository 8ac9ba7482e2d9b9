//! Makes inputs of others: with bytes changed, pieces moved, and what parsers stumble over put in.

/// No input grows beyond this.
const LARGEST: usize = 64 << 10;

/// What parsers stumble over.
const TOKENS: [&[u8]; 44] = [
    b"0",
    b"-0",
    b"-1",
    b"1e309",
    b"1e-400",
    b"1E+28",
    b"9e999999999999",
    b"00",
    b"1.",
    b".1",
    b"1_0",
    b"NaN",
    b"Infinity",
    b"null",
    b"true",
    b"9999999999999999999999999999",
    b"99999999999999999999999999999",
    b"0.0000000000000000000000000001",
    b"79228162514264337593543950335",
    b"79228162514264337593543950336",
    b"9223372036854775807",
    b"-9223372036854775808",
    b"253402207201",
    b"9999-12-31",
    b"-9999-01-01",
    b"2024-02-30",
    b"\"",
    b"\\u0000",
    b"\\ud800",
    b"\\",
    b"{",
    b"[",
    b"}",
    b"]",
    b",",
    b"\n",
    b"<Cube time='2026-11-20'>",
    b"<!DOCTYPE a [<!ENTITY x 'y'>]>",
    b"&x;",
    b"<![CDATA[",
    b"<!--",
    b"\xEF\xBB\xBF",
    b"\xFF",
    b"%2e%2E%2f%5c",
];

/// Makes inputs, always the same ones for a seed.
pub struct Mutator<'a> {
    state: u64,
    corpus: &'a [Vec<u8>],
}

impl<'a> Mutator<'a> {
    /// Makes inputs of these.
    pub fn new(seed: u64, corpus: &'a [Vec<u8>]) -> Self {
        Self {
            state: seed,
            corpus,
        }
    }

    /// The next input.
    pub fn next_input(&mut self) -> Vec<u8> {
        let mut input = self.any_input().to_vec();
        for _ in 0..=self.below(8) {
            self.mutate(&mut input);
        }
        input.truncate(LARGEST);
        input
    }

    fn mutate(&mut self, input: &mut Vec<u8>) {
        let (from, to) = self.range(input.len());
        match self.below(9) {
            0 => self.change_byte(input),
            1 => drop(input.drain(from..to)),
            2 => {
                let piece = input[from..to].to_vec();
                self.insert(input, &piece);
            }
            3 => input.truncate(from),
            4 => {
                let token = TOKENS[self.below(TOKENS.len())];
                self.insert(input, token);
            }
            5 => {
                let token = TOKENS[self.below(TOKENS.len())];
                self.replace_number(input, token);
            }
            6 => self.splice(input),
            7 => self.repeat(input, from, to),
            _ => {
                let digit = b'0' + self.small(10);
                self.replace_number(input, &[digit]);
            }
        }
    }

    fn change_byte(&mut self, input: &mut [u8]) {
        let at = self.below(input.len());
        if let Some(byte) = input.get_mut(at) {
            *byte ^= 1 << self.small(8);
        }
    }

    fn insert(&mut self, input: &mut Vec<u8>, piece: &[u8]) {
        let at = self.below(input.len() + 1);
        input.splice(at..at, piece.iter().copied());
    }

    /// Puts something in the place of the next run of digits and what belongs to numbers.
    fn replace_number(&mut self, input: &mut Vec<u8>, piece: &[u8]) {
        let is_part = |byte: &u8| byte.is_ascii_digit() || b".-+eE".contains(byte);
        let start = self.below(input.len());
        let Some(from) = input[start..].iter().position(u8::is_ascii_digit) else {
            return;
        };
        let from = start + from;
        let length = input[from..]
            .iter()
            .take_while(|byte| is_part(byte))
            .count();
        input.splice(from..from + length, piece.iter().copied());
    }

    /// The beginning of this one and the end of another.
    fn splice(&mut self, input: &mut Vec<u8>) {
        let other = self.any_input();
        input.truncate(self.below(input.len() + 1));
        let from = self.below(other.len() + 1);
        input.extend_from_slice(&other[from..]);
    }

    fn repeat(&mut self, input: &mut Vec<u8>, from: usize, to: usize) {
        let piece = input[from..to].to_vec();
        let most = LARGEST / piece.len().max(1);
        let count = self.below(most.min(1000) + 1);
        self.insert(input, &piece.repeat(count));
        input.truncate(LARGEST);
    }

    fn any_input(&mut self) -> &'a [u8] {
        let corpus = self.corpus;
        &corpus[self.below(corpus.len())]
    }

    /// A piece of something of that length, rather a short one.
    fn range(&mut self, length: usize) -> (usize, usize) {
        let from = self.below(length + 1);
        let most = (length - from).min(1 << self.below(12));
        (from, from + self.below(most + 1))
    }

    /// A number below the end; 0 if there is none.
    fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.random() % end).unwrap_or_default()
    }

    fn small(&mut self, end: u8) -> u8 {
        u8::try_from(self.below(end.into())).unwrap_or_default()
    }

    /// `SplitMix64`, by Steele, Lea and Flood: any seed is a good one.
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}
