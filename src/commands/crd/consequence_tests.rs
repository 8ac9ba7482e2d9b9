//! Tests of what is said before the definitions are deleted.

use super::*;
use crate::reconcile::{Failure, Verb};

fn objects(kind: &str, count: Result<usize, ApiError>) -> Objects {
    Objects {
        kind: kind.to_owned(),
        count,
    }
}

fn told(rules: usize, secrets: usize, configmaps: usize) -> String {
    let copies = CopyCounts {
        secrets,
        configmaps,
    };
    let traces = Traces {
        copies: Some(Ok(copies)),
        rates: None,
    };
    consequence(&[objects("CopyratorRule", Ok(rules))], &traces)
}

fn told_of_rates(rates: usize, collected: usize, kept: usize) -> String {
    let traces = Traces {
        copies: None,
        rates: Some(Ok(Made { collected, kept })),
    };
    consequence(&[objects("ExchangeRate", Ok(rates))], &traces)
}

fn forbidden() -> ApiError {
    ApiError {
        verb: Verb::List,
        subject: "secrets".to_owned(),
        failure: Failure::Forbidden("no".to_owned()),
    }
}

#[test]
fn it_is_said_what_is_lost_and_what_stays() {
    insta::assert_snapshot!(told(3, 210, 4), @r"
    This deletes 3 CopyratorRules.
    The rules' 214 copies (210 secrets, 4 configmaps) stay in the cluster; to remove those first, run: kubectl copyrator prune --all
    ");
    insta::assert_snapshot!(told(1, 0, 1), @r"
    This deletes 1 CopyratorRule.
    The rules' 1 copy (1 configmap) stays in the cluster; to remove those first, run: kubectl copyrator prune --all
    ");
}

#[test]
fn without_copies_nothing_is_said_of_them() {
    insta::assert_snapshot!(told(0, 0, 0), @"This deletes no CopyratorRules.");
    insta::assert_snapshot!(told_of_rates(1, 0, 0), @"This deletes 1 ExchangeRate.");
}

#[test]
fn copies_without_a_rule_are_told_of() {
    insta::assert_snapshot!(told(0, 2, 0), @r"
    This deletes no CopyratorRules.
    2 copies (2 secrets) of earlier rules stay in the cluster; to remove those first, run: kubectl copyrator sync
    ");
}

#[test]
fn config_maps_go_with_their_exchange_rates_or_stay() {
    insta::assert_snapshot!(told_of_rates(2, 2, 0), @r"
    This deletes 2 ExchangeRates.
    2 configmaps of ExchangeRates are deleted with them.
    ");
    insta::assert_snapshot!(told_of_rates(2, 1, 1), @r"
    This deletes 2 ExchangeRates.
    1 configmap of ExchangeRates is deleted with them.
    1 configmap with exchange rates stays in the cluster.
    ");
}

#[test]
fn each_kind_is_told_of() {
    let all = [
        objects("CopyratorRule", Ok(0)),
        objects("ExchangeRate", Ok(3)),
    ];
    let copies = CopyCounts {
        secrets: 1,
        configmaps: 0,
    };
    let rates = Made {
        collected: 3,
        kept: 0,
    };
    let traces = Traces {
        copies: Some(Ok(copies)),
        rates: Some(Ok(rates)),
    };
    insta::assert_snapshot!(consequence(&all, &traces), @r"
    This deletes no CopyratorRules and 3 ExchangeRates.
    1 copy (1 secret) of earlier rules stays in the cluster; to remove those first, run: kubectl copyrator sync
    3 configmaps of ExchangeRates are deleted with them.
    ");
}

#[test]
fn what_may_not_be_listed_is_not_known() {
    let unknown = ["CopyratorRule", "ExchangeRate"].map(|kind| objects(kind, Err(forbidden())));
    let traces = Traces {
        copies: Some(Err(forbidden())),
        rates: Some(Err(forbidden())),
    };
    insta::assert_snapshot!(consequence(&unknown, &traces), @r"
    This deletes all CopyratorRules; how many there are isn't known: cannot list secrets: no.
    This deletes all ExchangeRates; how many there are isn't known: cannot list secrets: no.
    The rules' copies stay in the cluster; how many isn't known: cannot list secrets: no
    The ConfigMaps of ExchangeRates are deleted with them; how many isn't known: cannot list secrets: no
    ");
}
