//! Asks on the terminal for what `rates create` wasn't told.

use std::io;

use dialoguer::{Input, console::Term};

use crate::{cli::rates::CreateArguments, rates::Currency};

/// The arguments with what is missing of the name and the quotes. Ctrl-C at a question is an error of the
/// kind `Interrupted`.
pub fn complete(mut arguments: CreateArguments) -> io::Result<CreateArguments> {
    if arguments.quotes.is_empty() {
        if arguments.base.is_none() {
            let base = ask("Base, the currency that is priced", Some("EUR"), one_code)?;
            // What is as usual isn't written down.
            arguments.base = Some(base).filter(|base| base != "EUR");
        }
        let quotes = ask(
            "Quotes, in which it is priced, such as USD,JPY",
            None,
            codes,
        )?;
        arguments.quotes = quotes.split(',').map(code).collect();
    }
    if arguments.name.is_none() {
        let base = arguments.base.as_deref().unwrap_or("EUR");
        let usual = base.to_ascii_lowercase();
        let name = ask("Name of the ExchangeRate", Some(&usual), |_| Ok(()))?;
        arguments.name = Some(name);
    }
    Ok(arguments)
}

/// A question that is asked until its answer is in order.
fn ask(
    question: &str,
    usual: Option<&str>,
    check: impl Fn(&str) -> Result<(), String>,
) -> io::Result<String> {
    let mut input = Input::<String>::new().with_prompt(question);
    if let Some(usual) = usual {
        input = input.default(usual.to_owned());
    }
    let input = input.validate_with(move |answer: &String| check(answer));
    let answer = input
        .interact_text()
        .map_err(|dialoguer::Error::IO(error)| {
            // The question hides the cursor, and an interrupt leaves it so.
            let _ = Term::stderr().show_cursor();
            error
        })?;
    Ok(answer.trim().to_owned())
}

fn codes(answer: &str) -> Result<(), String> {
    answer.split(',').try_for_each(one_code)
}

fn one_code(text: &str) -> Result<(), String> {
    let parsed = code(text).parse::<Currency>();
    parsed.map(drop).map_err(|error| error.to_string())
}

/// A code however it is typed.
fn code(text: &str) -> String {
    text.trim().to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_checked_when_they_are_typed() {
        assert_eq!(codes("usd, JPY"), Ok(()));
        for answer in ["", "USD,", "USD JPY", "ZZZ"] {
            assert!(codes(answer).is_err(), "{answer}");
        }
        assert!(one_code("USD,JPY").is_err());
    }
}
