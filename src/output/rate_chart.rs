//! How an exchange rate went, drawn with letters.

use std::fmt::Write as _;

use jiff::civil::Date;
use rust_decimal::{Decimal, prelude::ToPrimitive as _};

use super::{
    Palette, Style,
    dot_canvas::{DotCanvas, Dots},
};

/// The fewest columns that a plot has, however narrow the terminal is.
const LEAST_COLUMNS: usize = 10;

/// How a chart is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChartFormat {
    /// With letters.
    #[default]
    Text,
    /// As an SVG picture.
    Svg,
}

/// The rates of a pair in the course of time.
#[derive(Clone, Debug)]
pub struct RateSeries {
    /// What it is called: the pair.
    pub title: String,
    /// Who says so.
    pub provider: String,
    /// The rates from the oldest to the newest.
    pub points: Vec<RatePoint>,
}

/// The rate of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatePoint {
    /// The day.
    pub date: Date,
    /// The rate.
    pub rate: Decimal,
}

/// With what a chart is drawn.
#[derive(Clone, Copy, Debug)]
pub struct ChartStyle {
    /// How many columns it may have.
    pub width: usize,
    /// How many rows the plot has.
    pub height: usize,
    /// Whether other letters than those of ASCII can be shown.
    pub is_unicode: bool,
    /// Its colours.
    pub palette: Palette,
}

/// The extremes of a series.
pub(super) struct Extremes {
    /// The first point.
    pub first: RatePoint,
    /// The first of the lowest points.
    pub lowest: RatePoint,
    /// The first of the highest points.
    pub highest: RatePoint,
    /// The last point.
    pub last: RatePoint,
}

impl RateSeries {
    /// Its extremes; none without points.
    pub(super) fn extremes(&self) -> Option<Extremes> {
        let points = self.points.iter().copied();
        Some(Extremes {
            first: *self.points.first()?,
            lowest: points.clone().min_by_key(|point| point.rate)?,
            // Of several, the first one too.
            highest: points.rev().max_by_key(|point| point.rate)?,
            last: *self.points.last()?,
        })
    }
}

impl Extremes {
    /// A rate with as many decimals as tell the height of the plot in three digits.
    pub fn label(&self, rate: Decimal) -> String {
        let mut height = self.highest.rate - self.lowest.rate;
        let mut decimals = 0;
        while !height.is_zero() && height < Decimal::ONE_HUNDRED {
            height *= Decimal::TEN;
            decimals += 1;
        }
        if height.is_zero() {
            decimals = self.last.rate.scale();
        }
        format!("{:.*}", decimals as usize, rate.round_dp(decimals))
    }

    /// What became of the first rate, in per cent with two decimals.
    fn change(&self) -> Option<String> {
        let times = self.last.rate.checked_div(self.first.rate)?;
        let change = (times - Decimal::ONE).checked_mul(Decimal::ONE_HUNDRED)?;
        Some(format!("{:+.2}%", change.round_dp(2)))
    }
}

/// The chart as lines, the last one with its end; nothing of a series without points.
pub fn draw_chart(series: &RateSeries, style: ChartStyle) -> String {
    let Some(extremes) = series.extremes() else {
        return String::new();
    };
    let mut text = heading(series, &extremes, style);
    text.push_str(&plot(series, &extremes, style));
    text.push_str(&summary(&extremes));
    text
}

fn heading(series: &RateSeries, extremes: &Extremes, style: ChartStyle) -> String {
    let (first, last) = (extremes.first.date, extremes.last.date);
    let title = style.palette.paint(Style::Bold, &series.title);
    format!("{title}  {first} to {last}  {}\n\n", series.provider)
}

/// The plot with its axes. The rates' labels are at the left, the dates' below.
fn plot(series: &RateSeries, extremes: &Extremes, style: ChartStyle) -> String {
    let labels = labels(extremes, style.height);
    let margin = labels.iter().map(String::len).max().unwrap_or_default();
    let columns = style.width.saturating_sub(margin + 3).max(LEAST_COLUMNS);
    let (side, corner, below) = if style.is_unicode {
        ('│', '└', "─")
    } else {
        ('|', '+', "-")
    };
    let dim = |text: &str| style.palette.paint(Style::Dim, text).to_string();
    let mut text = String::new();
    for (label, row) in labels
        .iter()
        .zip(canvas(series, extremes, columns, style).rows())
    {
        let row = row.trim_end();
        let line = style.palette.paint(Style::Cyan, row);
        let axis = dim(&format!("{label:>margin$} {side}"));
        writeln!(text, "{axis}{line}").expect("a string takes all");
    }
    let axis = dim(&format!("{:margin$} {corner}{}", "", below.repeat(columns)));
    let dates = dim(&dates(extremes, margin + 2, columns));
    writeln!(text, "{axis}\n{dates}\n").expect("a string takes all");
    text
}

/// A label for each row: at the top, in the middle and at the bottom. A rate that never changes is in the
/// middle.
fn labels(extremes: &Extremes, height: usize) -> Vec<String> {
    let (low, high) = (extremes.lowest.rate, extremes.highest.rate);
    let label = |row: usize| match row {
        0 if low < high => extremes.label(high),
        row if low < high && row + 1 == height => extremes.label(low),
        row if height % 2 == 1 && row == height / 2 => {
            extremes.label(low + (high - low) / Decimal::TWO)
        }
        _ => String::new(),
    };
    (0..height).map(label).collect()
}

/// The dates of the first and the last column.
fn dates(extremes: &Extremes, margin: usize, columns: usize) -> String {
    let (first, last) = (
        extremes.first.date.to_string(),
        extremes.last.date.to_string(),
    );
    let room = columns.saturating_sub(first.len());
    if room <= last.len() {
        return format!("{:margin$}{first}", "");
    }
    format!("{:margin$}{first}{last:>room$}", "")
}

fn canvas(
    series: &RateSeries,
    extremes: &Extremes,
    columns: usize,
    style: ChartStyle,
) -> DotCanvas {
    let dots = if style.is_unicode {
        Dots::Braille
    } else {
        Dots::Ascii
    };
    let mut canvas = DotCanvas::new(dots, columns, style.height);
    let (width, height) = canvas.size();
    let (start, end) = (extremes.first.date, extremes.last.date);
    let (low, high) = (extremes.lowest.rate, extremes.highest.rate);
    let points = series.points.iter().map(|point| {
        let x = place(days(start, point.date), days(start, end), width);
        let y = place(point.rate - low, high - low, height);
        (x, y)
    });
    canvas.draw_line(&points.collect::<Vec<_>>());
    canvas
}

fn days(from: Date, to: Date) -> Decimal {
    (to - from).get_days().into()
}

/// Which of so many dots is nearest to a part of the whole; of nothing the one in the middle.
fn place(part: Decimal, whole: Decimal, dots: usize) -> usize {
    let last = dots - 1;
    let share = part.checked_div(whole);
    let place = share.and_then(|share| (share * Decimal::from(last)).round().to_usize());
    place.unwrap_or(last / 2).min(last)
}

/// The extremes, exactly.
fn summary(extremes: &Extremes) -> String {
    let rows = [
        ("first", extremes.first),
        ("low", extremes.lowest),
        ("high", extremes.highest),
        ("last", extremes.last),
    ];
    let rate = |point: RatePoint| point.rate.to_string();
    let width = rows.iter().map(|(_, point)| rate(*point).len()).max();
    let width = width.unwrap_or_default();
    let mut text = String::new();
    for (name, point) in rows {
        write!(text, "{name:<5}  {:<width$}  {}", rate(point), point.date)
            .expect("a string takes all");
        if name == "last"
            && let Some(change) = extremes.change()
        {
            write!(text, "  {change}").expect("a string takes all");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
#[path = "rate_chart_tests.rs"]
mod tests;
