//! `rates get`: the latest rates, and an amount in another currency.

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use tokio_util::sync::CancellationToken;

use super::{
    AskError,
    ask::{Answer, Question, ask},
    pairs::TypedPairs,
};
use crate::{
    cli::{KubeFlags, rates::GetArguments},
    commands::CommandError,
    output::{QuotedRate, RateReport, Streams, print_rates},
    rates::{Amount, AmountError, Currency, Row, provider::Span},
};

/// Runs `rates get`.
pub async fn get(
    arguments: &GetArguments,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<(), CommandError> {
    let amount = arguments.amount.as_deref().map(str::parse::<Amount>);
    let amount = amount.transpose().map_err(AskError::from)?;
    let typed = TypedPairs::new(&arguments.pairs).map_err(AskError::from)?;
    let question = Question {
        pairs: &typed.pairs,
        span: Span::Latest,
        days: 0,
    };
    let answer = ask(&question, &arguments.provider, kube, streams, cancellation).await?;
    let report = report(&answer, &typed.quotes, amount).map_err(AskError::from)?;
    let format = arguments.output.unwrap_or_default();
    Ok(print_rates(streams, format, &report)?)
}

/// The rates in the order of these quotes.
fn report(
    answer: &Answer,
    quotes: &[Currency],
    amount: Option<Amount>,
) -> Result<RateReport, AmountError> {
    let Answer { source, sheet } = answer;
    let rows = quotes.iter().map(|quote| (quote, &sheet.rows()[quote]));
    let rates = rows.map(|(quote, row)| quoted(*quote, row, amount));
    let calendar = source.kind().provider().calendar();
    Ok(RateReport {
        base: sheet.base().to_string(),
        provider: source.kind().to_string(),
        source: source.endpoint().to_string(),
        as_of: sheet.as_of().to_string(),
        age: calendar.age(sheet.as_of(), today()),
        amount: amount.map(|amount| amount.to_string()),
        rates: rates.collect::<Result<_, _>>()?,
    })
}

fn quoted(quote: Currency, row: &Row, amount: Option<Amount>) -> Result<QuotedRate, AmountError> {
    let amount = amount.map(|amount| amount.converted(row.rate, quote));
    Ok(QuotedRate {
        quote: quote.to_string(),
        name: quote.name().to_owned(),
        rate: row.rate.to_string(),
        inverse: row.inverse.to_string(),
        date: row.date.to_string(),
        amount: amount.transpose()?.map(|amount| amount.to_string()),
    })
}

fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}
