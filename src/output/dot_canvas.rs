//! A canvas of dots that is printed with letters.

/// A canvas of dots. The first row is the lowest one.
pub struct DotCanvas {
    dots: Dots,
    columns: usize,
    /// The letters' dots, row by row from the top, as bits.
    cells: Vec<u8>,
}

/// How dots become letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dots {
    /// Two by four dots in each letter: Braille patterns.
    /// Source: the block U+2800 of Unicode, whose eight low bits are the dots.
    Braille,
    /// One dot in each letter: asterisks.
    Ascii,
}

/// The bits of the dots of a Braille pattern: the left and the right column, from the top.
const BRAILLE_BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

impl Dots {
    /// How many columns and rows of dots a letter has.
    const fn size(self) -> (usize, usize) {
        match self {
            Self::Braille => (2, 4),
            Self::Ascii => (1, 1),
        }
    }

    fn letter(self, bits: u8) -> char {
        match (self, bits) {
            (_, 0) => ' ',
            (Self::Braille, bits) => char::from_u32(0x2800 + u32::from(bits)).unwrap_or(' '),
            (Self::Ascii, _) => '*',
        }
    }
}

impl DotCanvas {
    /// An empty canvas of so many letters.
    pub fn new(dots: Dots, columns: usize, rows: usize) -> Self {
        Self {
            dots,
            columns,
            cells: vec![0; columns * rows],
        }
    }

    /// How many columns and rows of dots there are.
    pub fn size(&self) -> (usize, usize) {
        let (width, height) = self.dots.size();
        let rows = self.cells.len() / self.columns;
        (self.columns * width, rows * height)
    }

    /// Draws a line through these dots, whose columns don't go back: it has a dot in each column, and no gaps.
    pub fn draw_line(&mut self, points: &[(usize, usize)]) {
        if let Some((x, y)) = points.first() {
            self.set(*x, *y);
        }
        for ends in points.windows(2) {
            let mut last = ends[0].1;
            for x in ends[0].0..=ends[1].0 {
                let y = between(ends[0], ends[1], x);
                for y in last.min(y)..=last.max(y) {
                    self.set(x, y);
                }
                last = y;
            }
        }
    }

    fn set(&mut self, x: usize, y: usize) {
        let (width, height) = self.dots.size();
        let (_, rows) = self.size();
        let from_top = rows - 1 - y;
        let bit = match self.dots {
            Dots::Braille => BRAILLE_BITS[x % width][from_top % height],
            Dots::Ascii => 1,
        };
        self.cells[from_top / height * self.columns + x / width] |= bit;
    }

    /// The rows of letters from the top.
    pub fn rows(&self) -> impl Iterator<Item = String> {
        let rows = self.cells.chunks(self.columns);
        rows.map(|cells| cells.iter().map(|bits| self.dots.letter(*bits)).collect())
    }
}

/// Where the line between two points is in a column.
fn between((x0, y0): (usize, usize), (x1, y1): (usize, usize), x: usize) -> usize {
    let (along, length) = (x - x0, x1 - x0);
    if length == 0 {
        return y1;
    }
    if y1 >= y0 {
        y0 + ((y1 - y0) * along + length / 2) / length
    } else {
        y0 - ((y0 - y1) * along + length / 2) / length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(dots: Dots, columns: usize, rows: usize, points: &[(usize, usize)]) -> Vec<String> {
        let mut canvas = DotCanvas::new(dots, columns, rows);
        canvas.draw_line(points);
        canvas.rows().collect()
    }

    #[test]
    fn lines_have_no_gaps() {
        let rising = drawn(Dots::Ascii, 4, 4, &[(0, 0), (3, 3)]);
        assert_eq!(rising, ["   *", "  **", " ** ", "**  "]);
        let steep = drawn(Dots::Ascii, 2, 4, &[(0, 3), (1, 0)]);
        assert_eq!(steep, ["**", " *", " *", " *"]);
        let upright = drawn(Dots::Ascii, 1, 3, &[(0, 0), (0, 2)]);
        assert_eq!(upright, ["*", "*", "*"]);
    }

    #[test]
    fn braille_has_eight_dots_in_a_letter() {
        assert_eq!(drawn(Dots::Braille, 1, 1, &[(0, 0)]), ["⡀"]);
        assert_eq!(drawn(Dots::Braille, 1, 1, &[(1, 3)]), ["⠈"]);
        assert_eq!(drawn(Dots::Braille, 2, 1, &[(0, 2), (3, 2)]), ["⠒⠒"]);
    }

    #[test]
    fn nothing_and_a_single_point_can_be_drawn() {
        assert_eq!(drawn(Dots::Ascii, 2, 1, &[]), ["  "]);
        assert_eq!(drawn(Dots::Ascii, 2, 1, &[(1, 0)]), [" *"]);
    }
}
