//! Sellers on unchanged crates, in one process: each has a port, and the first line of the output names their origins.

use std::{collections::BTreeMap, env, io::Write, sync::Arc};

use alloy_primitives::Address;
use axum::{Json, Router, routing::get};
use mpp::server::axum::{ChargeChallenger, ChargeConfig, MppCharge};
use mpp::server::{Mpp, TempoConfig, tempo};
use tokio::net::TcpListener;
use x402_axum::X402Middleware;
use x402_chain_eip155::{KnownNetworkEip155, V1Eip155Exact, V2Eip155Exact};
use x402_types::networks::USDC;

const PRICE: &str = "0.01";
const DESCRIPTION: &str = "The tides of a port";
/// Names the challenges as this process's own; no payment follows on them.
const SECRET: &str = "0123456789abcdef0123456789abcdef";

fn setting(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

async fn tides() -> Json<BTreeMap<&'static str, &'static str>> {
    Json(BTreeMap::from([("high", "06:12")]))
}

struct OneCent;
impl ChargeConfig for OneCent {
    fn amount() -> &'static str {
        PRICE
    }
    fn description() -> Option<&'static str> {
        Some(DESCRIPTION)
    }
}

async fn charged(_charge: MppCharge<OneCent>) -> Json<BTreeMap<&'static str, &'static str>> {
    tides().await
}

fn mpp_axum() -> Router {
    let config = TempoConfig {
        recipient: &setting("PAY_TO"),
    };
    let mpp = Mpp::create(tempo(config).realm("tides.example").secret_key(SECRET))
        .expect("mpp takes its settings");
    Router::new()
        .route("/tides", get(charged))
        .with_state(Arc::new(mpp) as Arc<dyn ChargeChallenger>)
}

fn x402_axum(version: u8) -> Router {
    let x402 = X402Middleware::new(&setting("FACILITATOR"));
    let payee: Address = setting("PAY_TO").parse().expect("PAY_TO is an address");
    let price = USDC::base().parse(PRICE).expect("a price of whole units");
    let (description, mime) = (DESCRIPTION.to_string(), "application/json".to_string());
    let route = if version == 1 {
        let layer = x402.with_price_tag(V1Eip155Exact::price_tag(payee, price));
        get(tides).layer(layer.with_description(description).with_mime_type(mime))
    } else {
        let layer = x402.with_price_tag(V2Eip155Exact::price_tag(payee, price));
        get(tides).layer(layer.with_description(description).with_mime_type(mime))
    };
    Router::new().route("/tides", route)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut origins = BTreeMap::new();
    for name in env::args().skip(1) {
        let seller = match name.as_str() {
            "mpp-axum" => mpp_axum(),
            "x402-axum-v1" => x402_axum(1),
            "x402-axum-v2" => x402_axum(2),
            _ => panic!("there is no seller {name}"),
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("its address");
        origins.insert(name, format!("http://{address}"));
        tokio::spawn(async move { axum::serve(listener, seller).await });
    }
    let said: Vec<String> = origins
        .iter()
        .map(|(name, origin)| format!("\"{name}\":\"{origin}\""))
        .collect();
    println!("{{{}}}", said.join(","));
    std::io::stdout().flush().expect("the parent reads");
    std::future::pending::<()>().await
}
