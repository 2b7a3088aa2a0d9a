//! `recount audit erase DIGEST`: removes the text of evidence; the chain stays whole (`3-lifecycle.md` 3.6.3).

use crate::lifecycle::persons::listed;
use crate::lifecycle::refusal::{Code, Refusal};
use crate::model::units::Units;

use super::super::operator::{actor, operator};
use super::super::settle::Stop;
use super::super::settle::desk::policy_in_force;
use super::{BROKEN, Call, Failure, exit, failure, find, refused};

/// Least characters of a reason.
const SHORTEST: usize = 20;

/// Erases, where the operator has the role.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let word = call.word().unwrap_or_default();
    let digest = word.rsplit(':').next().unwrap_or_default().to_owned();
    let reason = call.told("reason").unwrap_or_default().trim().to_owned();
    let found = find(call)?;
    // The policy in the book is in force, whatever the file says by now.
    let looked = crate::book::Book::look(&found.path).map_err(failure)?;
    let in_force = policy_in_force(&found.config, Some(&looked), &Units::default());
    drop(looked);
    let (in_force, _) = match in_force {
        Ok(policy) => policy,
        Err(Stop::Failed(failed)) => return Err(failed),
        Err(Stop::Refused(refusal)) => return Err(refused(&refusal)),
    };
    let policy = &in_force.policy;
    if call.flag("read-only") {
        return Err(refused(&Refusal::new(Code::Readonly, "--read-only: no command writes")));
    }
    if reason.chars().count() < SHORTEST {
        let why = format!("the reason has {} characters, needs {SHORTEST}", reason.chars().count());
        return Err(refused(&Refusal::new(Code::Note, why).next("give it with --reason")));
    }
    let who = operator(call, &found.config).map_err(|refusal| refused(&refusal))?;
    if in_force.legal_hold {
        let refusal = Refusal::new(Code::Policy, "legal_hold is set in [policy]: nothing is erased")
            .next("erase after the hold has ended");
        return Err(refused(&refusal));
    }
    if !policy.solo && !listed(&policy.policy_owners, &who.person.name) {
        let refusal = Refusal::new(Code::Approver, "erasing evidence is for the role policy")
            .seen(format!("operator {}, policy_owners: {}", who.person.name, policy.policy_owners.join(", ")))
            .next("name the policy owners in [policy] policy_owners, and let one of them erase");
        return Err(refused(&refusal));
    }
    let (_, verdict) = found.look(call)?;
    if exit(call, &verdict) != 0 {
        return Ok(BROKEN);
    }
    let mut book = found.open()?;
    let written = book
        .write(&crate::book::clock::now(), |writer| writer.erase_evidence(&digest, &actor(&who), &reason))
        .map_err(failure)?;
    book.settle_file().map_err(failure)?;
    call.to_stdout(false, |out| {
        out.line(&format!("evidence {digest} erased, entry {}; the chain is whole", written.value.seq));
    })?;
    Ok(0)
}
