//! Asks the API server what its user may do, and who that is.

use std::sync::Arc;

use http::Method;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::request::{Outgoing, Scale, Sender};
use crate::reconcile::{Access, Answer, ApiError, Depth, Failure, Verb};

const ACCESS_REVIEWS: &str = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
const USER_REVIEWS: &str = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

#[derive(Deserialize)]
struct Reviewed<T> {
    status: T,
}

#[derive(Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[derive(Default)]
struct AccessStatus {
    allowed: bool,
    reason: String,
    evaluation_error: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UserStatus {
    user_info: UserInfo,
}

#[derive(Deserialize)]
struct UserInfo {
    username: Arc<str>,
}

/// Whether an access is allowed.
pub async fn may(sender: &Sender, access: &Access) -> Result<Answer, ApiError> {
    let review = json!({
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectAccessReview",
        "spec": {"resourceAttributes": {
            "verb": access.verb.to_string(),
            "group": access.resource.group,
            "version": access.resource.version,
            "resource": access.resource.plural,
            "subresource": access.subresource,
            "namespace": access.namespace,
            "name": access.name,
        }},
    });
    let status: AccessStatus = post(sender, ACCESS_REVIEWS, &review).await?;
    if status.allowed {
        Ok(Answer::Allowed)
    } else if status.evaluation_error.is_empty() {
        Ok(Answer::Denied(status.reason))
    } else {
        // An authorizer that couldn't say may say yes when it comes to it.
        let message = status.evaluation_error;
        Err(failed(ACCESS_REVIEWS, Failure::Malformed(message)))
    }
}

/// The user's name.
pub async fn user(sender: &Sender) -> Result<Arc<str>, ApiError> {
    let review = json!({
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "SelfSubjectReview",
    });
    let status: UserStatus = post(sender, USER_REVIEWS, &review).await?;
    Ok(status.user_info.username)
}

async fn post<T: DeserializeOwned>(
    sender: &Sender,
    path: &'static str,
    review: &Value,
) -> Result<T, ApiError> {
    let outgoing = Outgoing {
        method: Method::POST,
        uri: path.to_owned(),
        scale: Scale::Object,
        depth: Depth::Full,
        body: Some(("application/json", review.to_string())),
    };
    let answer = sender.send(outgoing).await;
    let body = answer.map_err(|failure| failed(path, failure))?;
    let reviewed: Reviewed<T> = serde_json::from_slice(&body)
        .map_err(|error| failed(path, Failure::Malformed(error.to_string())))?;
    Ok(reviewed.status)
}

fn failed(path: &str, failure: Failure) -> ApiError {
    let subject = path.rsplit('/').next().unwrap_or(path).to_owned();
    ApiError {
        verb: Verb::Create,
        subject,
        failure,
    }
}
