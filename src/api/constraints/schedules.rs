//! The syntax of schedules, as far as a regular expression can tell: whether the numbers are in their
//! ranges, and the time zone is known, only the parser tells.

use schemars::{Schema, SchemaGenerator};

use super::text::text_field;

/// Twice as long as any schedule that a person would write.
const SCHEDULE_LENGTH: u32 = 128;

const SCHEDULE_MESSAGE: &str = r#"a schedule has the five fields of cron, minute, hour, day of month, month and day of week, or is @hourly, @daily, @weekly, @monthly or @yearly, and a time zone may follow; write for instance "0 17 * * 1-5 Europe/Berlin""#;

/// Five fields or a short form, then an optional time zone.
fn schedule_rule() -> String {
    let field = |value: &str, more: &str| {
        let item = format!("([*]|{value}(-{value})?)(/[0-9]{{1,2}})?{more}");
        format!("({item})(,({item}))*")
    };
    let number = "[0-9]{1,2}";
    let named = "([0-9]{1,2}|[A-Za-z]{3})";
    let fields = [
        field(number, ""),
        field(number, ""),
        field(number, "|L|[0-9]{1,2}W"),
        field(named, ""),
        field(named, "|[0-7]L|[0-7]#[1-5]"),
    ];
    let short = "@(hourly|daily|midnight|weekly|monthly|yearly|annually)";
    let zone = "[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*";
    format!(
        "self.matches('^({short}|{})( +{zone})?$')",
        fields.join(" +")
    )
}

/// A schedule.
pub(in crate::api) fn schedule(_: &mut SchemaGenerator) -> Schema {
    text_field(SCHEDULE_LENGTH, &[(&schedule_rule(), SCHEDULE_MESSAGE)])
}
