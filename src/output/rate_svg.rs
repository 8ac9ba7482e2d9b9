//! How an exchange rate went, as an SVG picture.

use std::{fmt::Display, ops::Range};

use jiff::{ToSpan, civil::Date};
use plotters::{
    prelude::{ChartBuilder, IntoDrawingArea, LineSeries, SVGBackend},
    style::{Color, RGBColor, WHITE},
};
use rust_decimal::Decimal;

use super::rate_chart::{Extremes, RateSeries};

/// The size in pixels.
const SIZE: (u32, u32) = (960, 480);
/// The colour of the line.
const LINE: RGBColor = RGBColor(31, 95, 175);
/// The colour of the grid.
const GRID: RGBColor = RGBColor(225, 225, 225);
/// Any font without serifs: whoever shows the picture has one.
const FONT: &str = "sans-serif";
/// How many dates there are below.
const DATES: usize = 6;
/// How many rates there are at the left.
const RATES: usize = 8;

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SvgError {
    /// There are no rates.
    #[error("there are no rates to draw")]
    Nothing,
    /// It can't be drawn.
    #[error("the chart can't be drawn: {0}")]
    Drawing(String),
}

/// The picture as text.
pub fn to_svg(series: &RateSeries) -> Result<String, SvgError> {
    let extremes = series.extremes().ok_or(SvgError::Nothing)?;
    let mut svg = String::new();
    draw(series, &extremes, &mut svg)?;
    Ok(svg)
}

fn draw(series: &RateSeries, extremes: &Extremes, svg: &mut String) -> Result<(), SvgError> {
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE).map_err(failed)?;
    let (first, last) = (extremes.first.date, extremes.last.date);
    let caption = format!("{}, {first} to {last} ({})", series.title, series.provider);
    let mut chart = ChartBuilder::on(&area)
        .caption(caption, (FONT, 22))
        .margin(20)
        .x_label_area_size(36)
        .y_label_area_size(90)
        .build_cartesian_2d(days(extremes), rates(extremes))
        .map_err(failed)?;
    let date = |day: &i32| first.saturating_add(day.days()).to_string();
    let rate = |rate: &f64| label(extremes, *rate);
    chart
        .configure_mesh()
        .x_labels(DATES)
        .y_labels(RATES)
        .x_label_formatter(&date)
        .y_label_formatter(&rate)
        .label_style((FONT, 14))
        .max_light_lines(1)
        .light_line_style(WHITE)
        .bold_line_style(GRID)
        .draw()
        .map_err(failed)?;
    let points = series.points.iter().map(|point| {
        let day = days_between(first, point.date);
        (day, float(point.rate))
    });
    let line = LineSeries::new(points, LINE.stroke_width(2));
    chart.draw_series(line).map_err(failed)?;
    area.present().map_err(failed)
}

/// The horizontal axis: days since the first one. A single day needs some width, too.
fn days(extremes: &Extremes) -> Range<i32> {
    let days = days_between(extremes.first.date, extremes.last.date);
    0..days.max(1)
}

fn days_between(from: Date, to: Date) -> i32 {
    (to - from).get_days()
}

/// The vertical axis. Rates that never change need some height, too.
fn rates(extremes: &Extremes) -> Range<f64> {
    let (low, high) = (extremes.lowest.rate, extremes.highest.rate);
    let range = high - low;
    let margin = if range.is_zero() {
        high / Decimal::ONE_HUNDRED
    } else {
        range / Decimal::TEN
    };
    float(low - margin)..float(high + margin)
}

fn label(extremes: &Extremes, rate: f64) -> String {
    let rate = Decimal::try_from(rate).unwrap_or_default();
    extremes.label(rate)
}

/// Only for drawing: a picture has far fewer digits.
fn float(number: Decimal) -> f64 {
    f64::try_from(number).unwrap_or_default()
}

fn failed(error: impl Display) -> SvgError {
    SvgError::Drawing(error.to_string())
}
