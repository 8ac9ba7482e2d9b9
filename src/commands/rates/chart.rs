//! `rates chart`: how a rate went.

use std::{env, ffi::OsString, fs, path::Path};

use dialoguer::console::Term;
use jiff::{Timestamp, ToSpan, tz::TimeZone};
use tokio_util::sync::CancellationToken;

use super::{
    AskError,
    ask::{Question, ask},
    pairs::TypedPairs,
};
use crate::{
    cli::{KubeFlags, rates::ChartArguments},
    commands::CommandError,
    output::{
        ChartFormat, ChartStyle, ColourChoice, Colours, RatePoint, RateSeries, Streams, draw_chart,
        to_svg,
    },
    rates::{Currency, History, provider::Span},
};

/// How wide a chart is that isn't for a terminal.
const WIDTH: usize = 80;
/// How many rows the plot has: an odd number, so that there is a middle.
const HEIGHT: usize = 15;

/// Runs `rates chart`.
pub async fn chart(
    arguments: &ChartArguments,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<(), CommandError> {
    let TypedPairs { pairs, quotes } = TypedPairs::new(&arguments.pair).map_err(AskError::from)?;
    let [quote] = quotes[..] else {
        return Err(AskError::SeveralQuotes.into());
    };
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let start = today.saturating_sub(i64::from(arguments.days).days());
    let question = Question {
        pairs: &pairs,
        span: Span::Since(start),
        days: arguments.days,
    };
    let answer = ask(&question, &arguments.provider, kube, streams, cancellation).await?;
    let series = series(answer.sheet.history(), quote, answer.source.kind().name());
    print(arguments, &series, streams)
}

/// What is drawn of a pair's history, which somebody gave.
pub fn series(history: &History, quote: Currency, provider: &str) -> RateSeries {
    let points = history.of(quote).map(|(date, cross)| RatePoint {
        date,
        rate: cross.rate.decimal(),
    });
    RateSeries {
        title: format!("{}/{quote}", history.base()),
        provider: provider.to_owned(),
        points: points.collect(),
    }
}

fn print(
    arguments: &ChartArguments,
    series: &RateSeries,
    streams: &mut Streams,
) -> Result<(), CommandError> {
    if let Some(file) = &arguments.svg {
        return write(file, &svg(series)?);
    }
    let text = match arguments.output.unwrap_or_default() {
        ChartFormat::Svg => svg(series)?,
        ChartFormat::Text => draw_chart(series, style(streams)),
    };
    streams.out.write_all(text.as_bytes())?;
    Ok(streams.out.flush()?)
}

fn svg(series: &RateSeries) -> Result<String, AskError> {
    Ok(to_svg(series)?)
}

fn write(file: &Path, text: &str) -> Result<(), CommandError> {
    let written = fs::write(file, text);
    Ok(written.map_err(|cause| AskError::Chart {
        file: file.to_owned(),
        cause,
    })?)
}

fn style(streams: &Streams) -> ChartStyle {
    let columns = Term::stdout().size_checked().map(|(_, columns)| columns);
    let width = columns.filter(|_| streams.out_is_terminal);
    ChartStyle {
        width: width.map_or(WIDTH, usize::from),
        height: HEIGHT,
        is_unicode: is_unicode(env::var_os),
        palette: Colours::detect(ColourChoice::Auto, streams).out,
    }
}

/// Whether the locale's letters are those of Unicode: the first of these variables that isn't empty decides.
/// Source: POSIX, Environment Variables, 8.2. Windows has none of them, and terminals that know Unicode.
fn is_unicode(variable: impl Fn(&'static str) -> Option<OsString>) -> bool {
    let mut values = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(variable);
    let locale = values.find(|value| !value.is_empty());
    locale.map_or(cfg!(windows), |locale| {
        let locale = locale.to_string_lossy().to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_decides_on_the_letters() {
        let with = |values: &[(&str, &str)]| {
            let values = values.to_owned();
            is_unicode(|name| {
                let mut values = values.iter();
                let value = values.find(|(variable, _)| *variable == name);
                value.map(|(_, value)| OsString::from(value))
            })
        };
        assert!(with(&[("LANG", "de_DE.UTF-8")]));
        assert!(with(&[
            ("LC_ALL", ""),
            ("LC_CTYPE", "C.utf8"),
            ("LANG", "C")
        ]));
        assert!(!with(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")]));
        assert!(!with(&[("LANG", "de_DE.ISO-8859-1")]));
        assert_eq!(with(&[]), cfg!(windows));
    }
}
