//! How many people, and who counts as second.

use super::{NOW, policy};
use crate::lifecycle::persons::{
    Choice, Looked, PERSONS, Person, Second, counts, opens, persons, same, somebody_may,
};
use crate::lifecycle::policy::Policy;

fn person(name: &str, uid: u32) -> Person {
    Person { name: name.to_owned(), uid: Some(uid), login: name.to_owned(), ..Person::default() }
}

#[test]
fn the_table_says_how_many() {
    let said: Vec<(u8, u8)> = PERSONS
        .iter()
        .map(|(choice, ..)| (persons(*choice, false, false), persons(*choice, true, false)))
        .collect();
    assert_eq!(said, [(1, 1), (1, 2), (1, 2), (1, 2), (1, 1), (1, 2), (1, 2), (1, 2), (2, 2)]);
    assert!(PERSONS.iter().all(|(choice, ..)| persons(*choice, true, true) == 1));
    let glass: Vec<Choice> = PERSONS.iter().map(|row| row.0).filter(|choice| opens(*choice)).collect();
    assert_eq!(glass, [Choice::ConfirmedOnWord]);
}

#[test]
fn a_second_person_is_another_one_in_every_respect() {
    let dana = person("dana", 1001);
    let why = |change: fn(&mut Person)| {
        let mut erin = person("erin", 1002);
        change(&mut erin);
        same(&dana, &erin)
    };
    assert_eq!(why(|_| {}), None);
    assert_eq!(why(|p| p.name = " Dana ".to_owned()), Some("both are called Dana".to_owned()));
    assert_eq!(why(|p| p.uid = Some(1001)), Some("both have user id 1001".to_owned()));
    assert_eq!(why(|p| p.login = "DANA".to_owned()), Some("both are logged in as DANA".to_owned()));
    // Root by sudo is still whoever became root.
    assert!(why(|p| p.sudo_user = "dana".to_owned()).is_some());
    let signed =
        |name: &str, principal: &str| Person { principal: Some(principal.to_owned()), ..person(name, 1001) };
    assert_eq!(same(&signed("dana", "dana@x"), &signed("erin", "erin@x")), None);
    assert!(same(&signed("dana", "dana@x"), &signed("erin", "Dana@X")).is_some());
    // One signature alone proves nothing about the other side.
    assert!(same(&signed("dana", "dana@x"), &person("erin", 1001)).is_some());
}

#[test]
fn an_approval_is_listed_in_time_and_looked_at() {
    let policy = policy();
    let (dana, erin, mallory) = (person("dana", 1001), person("Erin", 1002), person("mallory", 1003));
    let check = |approver: &Person, at: i64, looked: Looked| {
        counts(
            &policy,
            &Second { requester: &dana, approver, looked: &looked, expires: NOW, at: NOW.plus(at) },
        )
        .map_err(|refusal| refusal.missing[0].clone())
    };
    assert_eq!(check(&erin, -1, Looked::Relied), Ok(()));
    assert_eq!(check(&erin, 0, Looked::OwnRead("rb_2".to_owned())), Ok(()));
    assert_eq!(
        check(&erin, 1, Looked::Relied).unwrap_err(),
        "it is too late: the request expired at 2026-11-30T09:14:07Z"
    );
    assert_eq!(check(&mallory, 0, Looked::Relied).unwrap_err(), "mallory is not listed as approver");
    assert_eq!(
        check(&erin, 0, Looked::No).unwrap_err(),
        "a read of the approver (--source S), or --relied-on-evidence"
    );
    assert_eq!(check(&dana, 0, Looked::Relied).unwrap_err(), "another person: both are called dana");
}

#[test]
fn a_request_that_nobody_could_approve_is_refused_at_once() {
    assert!(somebody_may(&policy(), &person("dana", 1)).is_ok());
    assert!(somebody_may(&policy(), &person("erin", 1)).is_ok());
    let alone = Policy { approvers: vec!["Erin".to_owned()], ..Policy::default() };
    let refusal = somebody_may(&alone, &person("erin", 1)).unwrap_err();
    assert_eq!(
        (refusal.code.word(), refusal.missing[0].as_str()),
        ("R-APPROVER", "no other approver is listed")
    );
    assert!(somebody_may(&Policy::default(), &person("dana", 1)).is_err());
}
