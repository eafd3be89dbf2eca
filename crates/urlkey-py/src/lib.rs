//! The Python module `urlkey._native`: converts arguments, releases the GIL,
//! calls the core and wraps what comes back. Must not know how a key is made.

mod args;
mod arrow;
mod batch;
mod blocklist;
mod bloom;
mod cdata;
mod company;
mod dedupe;
mod errors;
mod explain;
mod fast;
mod forms;
mod gateway;
mod homographs;
mod hosts;
mod key;
mod ladder;
mod learn;
mod lists;
mod page;
mod patterns;
mod policy;
mod records;
mod reputation;
mod rows;
mod rules;
mod seed;
mod seen;
mod social;
mod surt;
mod unwrap;
mod url;
mod urls;

/// One canonical key for every spelling of a URL.
#[pyo3::pymodule]
mod _native {
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    #[pymodule_export]
    use crate::arrow::{Array, ChunkedArray, arrow_column, arrow_keys, arrow_table};
    #[pymodule_export]
    use crate::batch::keys;
    #[pymodule_export]
    use crate::blocklist::{BlocklistBuilder, BlocklistTable, Match};
    #[pymodule_export]
    use crate::bloom::Bloom;
    #[pymodule_export]
    use crate::company::{CompanyKey, company_key, company_keys, profile_id};
    #[pymodule_export]
    use crate::dedupe::Dedupe;
    #[pymodule_export]
    use crate::explain::{compare, explain, identify, redact};
    #[pymodule_export]
    use crate::forms::w3lib_canonicalize;
    #[pymodule_export]
    use crate::gateway::{GatewayRules, Reason, Target, Verdict};
    #[pymodule_export]
    use crate::homographs::{Homograph, HomographTable, skeleton};
    #[pymodule_export]
    use crate::hosts::{IpClass, classify_ip, is_signed, not_public, shortener};
    #[pymodule_export]
    use crate::key::{digest, href, join, key, parse};
    #[pymodule_export]
    use crate::ladder::{data_versions, ladder};
    #[pymodule_export]
    use crate::learn::{PageChanges, PageTable};
    #[pymodule_export]
    use crate::page::decode;
    #[pymodule_export]
    use crate::patterns::{PatternBuilder, PatternMatch, PatternTable, embedded_url};
    #[pymodule_export]
    use crate::policy::Policy;
    #[pymodule_export]
    use crate::records::{Comparison, Explanation, Identity, Step, Violation};
    #[pymodule_export]
    use crate::reputation::{
        defang, is_defanged, refang, safebrowsing_canonical, safebrowsing_expressions, safebrowsing_hashes,
    };
    #[pymodule_export]
    use crate::rows::{StoreRows, digest_array, seal, seal_factors};
    #[pymodule_export]
    use crate::rules::{Diff, check_rules, expression_fault, host_fault, rules_for};
    #[pymodule_export]
    use crate::seen::{SeenTable, fresh_rows, sum_digests, without};
    #[pymodule_export]
    use crate::social::{SocialId, social_id, social_ids};
    #[pymodule_export]
    use crate::surt::{cdx_range, ssurt, surt, surt_prefix_ends, surts, unsurt};
    #[pymodule_export]
    use crate::unwrap::{Hop, app_links, owners, unwrap, unwrap_layers};
    #[pymodule_export]
    use crate::url::{Base, Url};
    #[pymodule_export]
    use crate::urls::{UrlChunk, UrlColumn};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        let codes = urlkey::Code::ALL.iter().map(|code| code.as_str());
        let rungs = urlkey::Rung::ALL.iter().map(|rung| rung.meta().name);
        module.add("UrlKeyError", crate::errors::class(py)?)?;
        module.add("ERROR_CODES", PyTuple::new(py, codes)?)?;
        module.add("RUNGS", PyTuple::new(py, rungs)?)?;
        module.add("PROFILES", PyTuple::new(py, urlkey::BUILTIN_NAMES)?)?;
        let reasons = urlkey::company::NoKey::ALL.iter().map(|reason| reason.as_str());
        module.add("NO_KEY_REASONS", PyTuple::new(py, reasons)?)?;
        module.add("REFUSALS", crate::gateway::refusals(py)?)?;
        module.add("HOMOGRAPH_REASONS", PyTuple::new(py, urlkey::homographs::REASONS)?)?;
        module.add("DIALECTS", crate::patterns::dialects(py)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        crate::fast::install(module)?;
        // What is public stands in python/urlkey/__init__.py, and nowhere else.
        module.delattr("__all__")
    }
}
