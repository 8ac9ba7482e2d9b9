//! `rates create` where no cluster is needed.

use std::fmt::Write as _;

use insta::assert_snapshot;

use super::nowhere::run;
use crate::sandbox::Ran;

async fn create(arguments: &str) -> Ran {
    let words = ["rates", "create"].into_iter().chain(arguments.split(' '));
    run(&words.collect::<Vec<_>>()).await
}

#[tokio::test]
async fn a_manifest_says_only_what_was_said() {
    let usual = create("eur --quotes usd,jpy --dry-run -o yaml")
        .await
        .succeeded();
    assert_snapshot!(usual.stdout, @"
    apiVersion: copyrator.dev/v1alpha1
    kind: ExchangeRate
    metadata:
      name: eur
    spec:
      quotes:
      - USD
      - JPY
    ");
    let full = create(
        "usd -n shop --base USD --quotes EUR --provider ecb=https://mirror.example/eurofxref,\
         OpenExchangeRates --provider-key OpenExchangeRates=oxr/app-id --config-map rates \
         --label team=blue --annotation example.com/a=b --keys rate,history.csv --history 30 \
         --max-change 7.5% --max-age 2 --schedule @daily --suspend --dry-run -o yaml",
    );
    assert_snapshot!(full.await.succeeded().stdout, @r#"
    apiVersion: copyrator.dev/v1alpha1
    kind: ExchangeRate
    metadata:
      name: usd
      namespace: shop
    spec:
      base: USD
      quotes:
      - EUR
      providers:
      - type: ECB
        url: https://mirror.example/eurofxref
      - type: OpenExchangeRates
        secretKeyRef:
          name: oxr
          key: app-id
      configMap:
        name: rates
        labels:
          team: blue
        annotations:
          example.com/a: b
        keys:
        - rate
        - history.csv
      history: 30
      maxChange: 7.5%
      maxAge: 2
      schedule: "@daily"
      suspend: true
    "#);
    let name = create("eur --quotes USD --dry-run -o name")
        .await
        .succeeded();
    assert_eq!(name.stdout, "exchangerate.copyrator.dev/eur\n");
    let told = create("eur --quotes USD --dry-run").await.succeeded();
    let line = "exchangerate.copyrator.dev/eur created (dry run)\n";
    assert_eq!(told.stdout, line);
}

#[tokio::test]
async fn mistakes_in_what_is_created_are_told_before_any_cluster_is_asked() {
    let mut told = String::new();
    for line in [
        "eur",
        "--quotes=USD",
        "Eur --quotes=USD,EUR --max-change=5 --history=9999",
        "eur --quotes=USD --keys=rates",
        "eur --quotes=USD --provider=bank",
        "eur --quotes=USD --provider-key=OpenExchangeRates=oxr/app-id",
        "eur --quotes=USD --provider=ECB --provider-key=ECB=oxr/app-id",
        "eur --quotes=USD --provider-key=oxr",
        "eur --quotes=USD --label=team",
        "eur --quotes=USD --history=some",
        "eur --quotes=USD -o wide",
    ] {
        let ran = create(line).await.failed_with(1);
        assert_eq!(ran.stdout, "", "{line}");
        write!(
            told,
            "$ kubectl copyrator rates create {line}\n{}\n",
            ran.stderr
        )
        .unwrap();
    }
    assert_snapshot!(told, @r#"
    $ kubectl copyrator rates create eur
    error: an ExchangeRate needs a NAME and --quotes, such as: rates create eur --quotes=USD,JPY

    $ kubectl copyrator rates create --quotes=USD
    error: an ExchangeRate needs a NAME and --quotes, such as: rates create eur --quotes=USD,JPY

    $ kubectl copyrator rates create Eur --quotes=USD,EUR --max-change=5 --history=9999
    error: metadata.name: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'eur-rates')
    spec.history: history is a number of days from 0, which keeps none, to 3660
    spec.maxChange: a change is a percentage above zero with its sign, such as 25% or 7.5%
    spec.quotes: the base is among the quotes, and would always be 1; remove it from quotes

    $ kubectl copyrator rates create eur --quotes=USD --keys=rates
    error: unknown variant `rates`, expected one of `rate`, `inverse`, `date`, `quotes`, `rates.json`, `rates.env`, `rates.csv`, `history.csv`

    $ kubectl copyrator rates create eur --quotes=USD --provider=bank
    error: "bank" is no provider; the providers are ECB, Frankfurter, FrankfurterV1, OpenERAPI, OpenExchangeRates, ExchangeRateHost, URL

    $ kubectl copyrator rates create eur --quotes=USD --provider-key=OpenExchangeRates=oxr/app-id
    error: --provider-key: OpenExchangeRates isn't asked; name it with --provider, too

    $ kubectl copyrator rates create eur --quotes=USD --provider=ECB --provider-key=ECB=oxr/app-id
    error: spec.providers[0].secretKeyRef: only OpenExchangeRates and ExchangeRateHost take a key; remove secretKeyRef

    $ kubectl copyrator rates create eur --quotes=USD --provider-key=oxr
    error: invalid provider key "oxr": it must be TYPE=SECRET/KEY, such as OpenExchangeRates=oxr/app-id
    See 'kubectl copyrator rates create -h' for help and examples

    $ kubectl copyrator rates create eur --quotes=USD --label=team
    error: invalid pair "team": it must be KEY=VALUE, such as team=blue
    See 'kubectl copyrator rates create -h' for help and examples

    $ kubectl copyrator rates create eur --quotes=USD --history=some
    error: invalid value 'some' for '--history <DAYS>': invalid digit found in string
    See 'kubectl copyrator rates create -h' for help and examples

    $ kubectl copyrator rates create eur --quotes=USD -o wide
    error: unable to match a printer suitable for the output format "wide", allowed formats are: json,name,yaml
    See 'kubectl copyrator rates create -h' for help and examples
    "#);
}
