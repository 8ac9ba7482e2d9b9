//! Whether to colour, and the few styles that we use.

use std::{env, ffi::OsString, fmt};

use super::Streams;

/// What the user said about colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourChoice {
    /// Colours on a terminal that can show them, unless the environment says no.
    #[default]
    Auto,
    /// Colours wherever the output goes.
    Always,
    /// No colours.
    Never,
}

impl ColourChoice {
    /// Whether to colour a stream. An explicit choice beats the environment; `NO_COLOR` disables
    /// with any value, also an empty one, as in kubectl.
    pub fn allows(
        self,
        is_terminal: bool,
        variable: impl Fn(&'static str) -> Option<OsString>,
    ) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                is_terminal
                    && variable("NO_COLOR").is_none()
                    && variable("TERM").is_none_or(|term| term != "dumb")
            }
        }
    }
}

/// The palettes of the two streams, of which only one may be a terminal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Colours {
    /// The palette of standard output.
    pub out: Palette,
    /// The palette of standard error.
    pub err: Palette,
}

impl Colours {
    /// Decides for both streams with this process's environment.
    pub fn detect(choice: ColourChoice, streams: &Streams) -> Self {
        let palette = |is_terminal| Palette {
            enabled: choice.allows(is_terminal, env::var_os),
        };
        Self {
            out: palette(streams.out_is_terminal),
            err: palette(streams.err_is_terminal),
        }
    }
}

/// Paints text, or leaves it as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Palette {
    /// Whether it paints.
    pub enabled: bool,
}

impl Palette {
    /// The text in a style.
    pub fn paint(self, style: Style, text: &str) -> Painted<'_> {
        Painted {
            code: self.enabled.then_some(style as u8),
            text,
        }
    }
}

/// A style, with the number of its escape sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// For what stands out without being good or bad.
    Bold = 1,
    /// For what matters less.
    Dim = 2,
    /// For failures and removals.
    Red = 31,
    /// For what was made or added.
    Green = 32,
    /// For changes and warnings.
    Yellow = 33,
    /// For the places in a diff.
    Cyan = 36,
}

/// A painted text.
#[derive(Clone, Copy, Debug)]
pub struct Painted<'a> {
    code: Option<u8>,
    text: &'a str,
}

impl fmt::Display for Painted<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(formatter, "\u{1b}[{code}m{}\u{1b}[0m", self.text),
            None => formatter.write_str(self.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choice_terminal_and_environment_decide() {
        use ColourChoice::{Always, Auto, Never};
        // choice, terminal, NO_COLOR, TERM, expected
        let table = [
            (Auto, true, None, Some("xterm"), true),
            (Auto, true, None, None, true),
            (Auto, true, None, Some("dumb"), false),
            (Auto, true, Some(""), Some("xterm"), false),
            (Auto, true, Some("0"), Some("xterm"), false),
            (Auto, false, None, Some("xterm"), false),
            (Always, false, Some("1"), Some("dumb"), true),
            (Never, true, None, Some("xterm"), false),
        ];
        for row in table {
            let (choice, is_terminal, no_color, term, expected) = row;
            let variable = |name| match name {
                "NO_COLOR" => no_color.map(OsString::from),
                "TERM" => term.map(OsString::from),
                _ => None,
            };
            assert_eq!(choice.allows(is_terminal, variable), expected, "{row:?}");
        }
    }

    #[test]
    fn only_an_enabled_palette_paints() {
        let painted = Palette { enabled: true }.paint(Style::Green, "created");
        assert_eq!(painted.to_string(), "\u{1b}[32mcreated\u{1b}[0m");
        let plain = Palette::default().paint(Style::Green, "created");
        assert_eq!(plain.to_string(), "created");
    }
}
