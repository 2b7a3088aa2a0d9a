#![allow(missing_docs, clippy::all, clippy::pedantic, clippy::unwrap_used, clippy::print_stdout)]
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Mutex;
use recount::load::{builder::Builder, case::{Case, Parts}, setting};
use recount::model::{row::*, time::*};
use recount::sources::{format::*, frame::{self, Bytes, Lines}, json::{Parser, Reader, Slots}, spec::*, trace::native::Native, ledger::generic::LedgerRows, mapping::Layout, names, peek::Peek};
struct P;
impl recount::load::places::Places for P { fn words(&self,_:At)->String{String::new()} fn line(&self,_:At)->Option<u64>{None} fn fields(&self,_:At)->Vec<(String,String)>{vec![]} fn raw(&self,_:At)->Option<String>{None} }
fn main(){
  let dir=std::env::args().nth(1).unwrap(); let threads:usize=std::env::args().nth(2).unwrap_or("2".into()).parse().unwrap();
  let parser = if std::env::args().nth(3).as_deref()==Some("serde") {Parser::Serde} else {Parser::Scan};
  let t0=std::time::Instant::now();
  let f=|n:&str| Bytes::file(std::fs::File::open(format!("{dir}/{n}")).unwrap()).unwrap();
  let files=[f("attempts.jsonl"), f("effects.jsonl")];
  let sz=[std::fs::metadata(format!("{dir}/attempts.jsonl")).unwrap().len(), std::fs::metadata(format!("{dir}/effects.jsonl")).unwrap().len()];
  let src=|id:&str,w| SourceSpec{id:id.into(),what:w,location:Location::File(format!("{dir}/{id}").into()),shown:id.into(),format:None,options:Options::default()};
  let spec=CaseSpec{sources:vec![src("attempts",What::Trace),src("refunds",What::Ledger)], ledger_final: std::env::args().nth(4).is_some(), ..CaseSpec::default()};
  let now=parse_time("2026-12-20T00:00:00Z",&Zone::Utc).at;
  let reading=setting::reading(&spec,&[0,1],now);
  let native=Native::new(&Options::default(),&[]).unwrap();
  let mut head=vec![0u8;4096]; use std::os::unix::fs::FileExt; std::fs::File::open(format!("{dir}/effects.jsonl")).unwrap().read_at(&mut head,0).unwrap();
  let peek=Peek::at(&head);
  let layout=Layout::new(names::ledger::TABLE,&Options::default(),&[]).unwrap();
  let ledger=LedgerRows::new(&layout,&peek.records,false).unwrap();
  let slices=((sz[0]+sz[1])/(4<<20)).max(1) as usize;
  let next=AtomicUsize::new(0); let out=Mutex::new(Vec::new()); let cancel=AtomicBool::new(false);
  std::thread::scope(|s|{ for _ in 0..threads { s.spawn(||{ loop{ let k=next.fetch_add(1,Ordering::Relaxed); if k>=slices{break;}
    let mut b=Builder::new(&reading);
    for (i,file) in files.iter().enumerate(){ let from=sz[i]*k as u64/slices as u64; let to=sz[i]*(k as u64+1)/slices as u64;
      let mut lines=Lines::new(file,&cancel);
      if i==0 { let mut r=Reader::new(native.want().clone(),parser); let mut sc=native.scratch(parser);
        lines.chunks(from..to,|recs|{ let mut slots=Slots::new(); while let Some(rec)=recs.next(){ json_record(&native,&mut r,&mut slots,Raw{bytes:rec.bytes,at:At::new(SourceNo(0),rec.offset),ended:rec.ended},&mut sc,&mut b);} }).unwrap();
      } else { let mut r=Reader::new(ledger.want().clone(),parser); let mut sc=ledger.scratch(parser);
        lines.chunks(from..to,|recs|{ let mut slots=Slots::new(); while let Some(rec)=recs.next(){ json_record(&ledger,&mut r,&mut slots,Raw{bytes:rec.bytes,at:At::new(SourceNo(1),rec.offset),ended:rec.ended},&mut sc,&mut b);} }).unwrap(); } }
    out.lock().unwrap().push((k,b.seal())); } }); } });
  let mut o=out.into_inner().unwrap(); o.sort_by_key(|x|x.0); let sl:Vec<_>=o.into_iter().map(|x|x.1).collect();
  let t1=t0.elapsed();
  let mut found=vec![setting::Found::default();2]; for (i,f) in found.iter_mut().enumerate(){f.readable=true;f.logical=i as u16;}
  let c=Case::new(Parts{spec,reading,slices:sl,found,places:Box::new(P),now,threads});
  println!("read {:?} total {:?} loud {} quiet {} orphans {}",t1,t0.elapsed(),c.loud.len(),c.quiet.len(),c.apart.unattributed);
  let t=std::time::Instant::now(); let s=c.summary(&Default::default()); println!("{:?} {:?} summary {:?} {:?}", s.by_verdict, s.result, t.elapsed(), s.divergent);
}
