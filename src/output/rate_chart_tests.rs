//! Tests of charts, drawn and written.

use insta::assert_snapshot;
use jiff::{ToSpan, civil::date};

use super::*;
use crate::output::to_svg;

/// A rate for each of so many days.
fn series(rates: &[&str]) -> RateSeries {
    let start = date(2026, 11, 1);
    let points = rates.iter().enumerate().map(|(day, rate)| RatePoint {
        date: start + i64::try_from(day).unwrap().days(),
        rate: rate.parse().unwrap(),
    });
    RateSeries {
        title: "EUR/USD".to_owned(),
        provider: "ECB".to_owned(),
        points: points.collect(),
    }
}

fn usual() -> RateSeries {
    series(&[
        "1.08", "1.0812", "1.09", "1.0855", "1.07", "1.072", "1.0745", "1.0745",
    ])
}

fn style(is_unicode: bool, width: usize) -> ChartStyle {
    ChartStyle {
        width,
        height: 7,
        is_unicode,
        palette: Palette::default(),
    }
}

#[test]
fn a_chart_has_axes_and_extremes() {
    assert_snapshot!(draw_chart(&usual(), style(true, 40)), @"
    EUR/USD  2026-11-01 to 2026-11-08  ECB

    1.0900 │       ⢀⡞⠓⢦⣀
           │      ⣠⠏   ⠈⠓⢦
           │     ⡴⠃      ⠈⣇
    1.0800 │⠒⠒⠚⠉⠉⠁        ⠘⣆
           │               ⠸⡄
           │                ⠹⡄     ⣀⡤⠴⠒⠒⠒⠒⠒
    1.0700 │                 ⢳⣠⠤⠖⠚⠉⠁
           └───────────────────────────────
            2026-11-01           2026-11-08

    first  1.08    2026-11-01
    low    1.07    2026-11-05
    high   1.09    2026-11-03
    last   1.0745  2026-11-08  -0.51%
    ");
    assert_snapshot!(draw_chart(&usual(), style(false, 40)), @"
    EUR/USD  2026-11-01 to 2026-11-08  ECB

    1.0900 |         ***
           |       *** ****
           |     ***      **
    1.0800 |******         *
           |               **
           |                ** ************
    1.0700 |                 ***
           +-------------------------------
            2026-11-01           2026-11-08

    first  1.08    2026-11-01
    low    1.07    2026-11-05
    high   1.09    2026-11-03
    last   1.0745  2026-11-08  -0.51%
    ");
}

#[test]
fn a_chart_fits_the_width_if_there_is_any() {
    for width in [20, 33, 80, 200] {
        for is_unicode in [true, false] {
            let chart = draw_chart(&usual(), style(is_unicode, width));
            let plot = chart.split("\n\n").nth(1).unwrap();
            let widest = plot.lines().map(|line| line.chars().count()).max();
            assert!(widest.unwrap() < width, "{width}\n{chart}");
        }
    }
    assert_snapshot!(draw_chart(&usual(), style(true, 0)), @"
    EUR/USD  2026-11-01 to 2026-11-08  ECB

    1.0900 │  ⢸⢧
           │  ⡼⠈⢧
           │  ⡇ ⢸
    1.0800 │⠒⠋⠁ ⠘⡆
           │     ⡇
           │     ⢹ ⢠⠖⠒
    1.0700 │     ⢸⡴⠋
           └──────────
            2026-11-01

    first  1.08    2026-11-01
    low    1.07    2026-11-05
    high   1.09    2026-11-03
    last   1.0745  2026-11-08  -0.51%
    ");
}

#[test]
fn rates_that_never_change_are_a_line_in_the_middle() {
    assert_snapshot!(draw_chart(&series(&["7.4601", "7.4601"]), style(false, 30)), @"
    EUR/USD  2026-11-01 to 2026-11-02  ECB

           |
           |
           |
    7.4601 |*********************
           |
           |
           |
           +---------------------
            2026-11-01 2026-11-02

    first  7.4601  2026-11-01
    low    7.4601  2026-11-01
    high   7.4601  2026-11-01
    last   7.4601  2026-11-02  +0.00%
    ");
    assert_snapshot!(draw_chart(&series(&["7.4601"]), style(false, 30)), @"
    EUR/USD  2026-11-01 to 2026-11-01  ECB

           |
           |
           |
    7.4601 |          *
           |
           |
           |
           +---------------------
            2026-11-01 2026-11-01

    first  7.4601  2026-11-01
    low    7.4601  2026-11-01
    high   7.4601  2026-11-01
    last   7.4601  2026-11-01  +0.00%
    ");
}

#[test]
fn nothing_is_drawn_of_nothing() {
    assert_eq!(draw_chart(&series(&[]), style(true, 80)), "");
    assert!(to_svg(&series(&[])).is_err());
}

#[test]
fn colours_are_of_the_palette() {
    let palette = Palette { enabled: true };
    let style = ChartStyle {
        palette,
        ..style(true, 40)
    };
    let chart = draw_chart(&usual(), style);
    assert!(
        chart.starts_with("\u{1b}[1mEUR/USD\u{1b}[0m  2026-11-01"),
        "{chart}"
    );
    assert!(chart.contains("\u{1b}[36m"), "{chart}");
}

#[test]
fn a_picture_has_a_title_and_dates() {
    let svg = to_svg(&usual()).unwrap();
    assert!(svg.starts_with("<svg "), "{svg}");
    assert!(svg.ends_with("</svg>\n"), "{svg}");
    for text in [
        "EUR/USD",
        "ECB",
        "2026-11-01",
        "2026-11-08",
        "1.070",
        "1.090",
    ] {
        assert!(svg.contains(text), "{text} in {svg}");
    }
    // Equal rates make equal pictures.
    assert_eq!(to_svg(&usual()).unwrap(), svg);
    for few in [&["7.4601"][..], &["7.4601", "7.4601"]] {
        assert!(to_svg(&series(few)).unwrap().contains("7.4600"));
    }
}
