"""A script that tries in more than a hundred ways to reach an address that it must not reach."""

from ipaddress import IPv4Address

_SPELLINGS = (
    "{a}",
    "{n}",
    "{n:#x}",
    "0{n:o}",
    "127.{m}",
    "[::ffff:{a}]",
    "rebind.example",
    "inner.example",
)
_BY_URL = (
    "fetch(u).catch(no)",
    "fetch(u,{mode:'no-cors'}).catch(no)",
    "fetch(u,{mode:'no-cors',keepalive:true,method:'POST',body:'x'}).catch(no)",
    "{const x=new XMLHttpRequest();x.open('GET',u);x.send()}",
    "new Image().src=u",
    "add('script',{src:u})",
    "add('link',{rel:'stylesheet',href:u})",
    "add('iframe',{src:u})",
    "navigator.sendBeacon(u,'x')",
    "new EventSource(u)",
    "new WebSocket(u.replace('http','ws'))",
)
_ONCE = (
    "add('link',{rel:'preload',as:'image',href:u})",
    "add('link',{rel:'prefetch',href:u})",
    "add('link',{rel:'prerender',href:u})",
    "add('link',{rel:'preconnect',href:u})",
    "add('link',{rel:'dns-prefetch',href:u})",
    "add('link',{rel:'modulepreload',href:u})",
    "add('link',{rel:'icon',href:u})",
    "add('link',{rel:'manifest',href:u})",
    "add('video',{src:u,autoplay:true,poster:u})",
    "add('audio',{src:u,autoplay:true})",
    "add('object',{data:u})",
    "add('embed',{src:u})",
    "add('input',{type:'image',src:u})",
    "add('img',{srcset:u+' 1x'})",
    "add('a',{href:'/x',ping:u}).click()",
    "{const f=add('form',{action:u,method:'post',target:'_blank'});f.submit()}",
    "{const f=add('form',{action:u,method:'post',target:'inner'});add('iframe',{name:'inner'});f.submit()}",
    "{const s=add('style',{});s.textContent='@import url('+u+');body{background:url('+u+'b)}@font-face{font-family:q;src:url('+u+'f)}*{font-family:q}'}",
    "window.open(u)",
    "new Worker(URL.createObjectURL(new Blob(['fetch(\"'+u+'\");importScripts(\"'+u+'\")'])))",
    "new SharedWorker(URL.createObjectURL(new Blob(['fetch(\"'+u+'\")'])))",
    "new Worker(u)",
    "navigator.serviceWorker.register('/sw.js')",
    "import(u).catch(no)",
    "new WebTransport(u.replace('http:','https:')).ready.catch(no)",
    "{const s=add('script',{type:'speculationrules'});s.textContent=JSON.stringify({prefetch:[{source:'list',urls:[u]}],prerender:[{source:'list',urls:[u]}]})}",
    "{const p=new RTCPeerConnection({iceServers:[{urls:'stun:'+h}]});p.createDataChannel('x');p.createOffer().then(o=>p.setLocalDescription(o))}",
    "{const p=new RTCPeerConnection({iceServers:[{urls:'turn:'+h+'?transport=udp',username:'u',credential:'c'}]});p.createDataChannel('x');p.createOffer().then(o=>p.setLocalDescription(o))}",
    "{const p=new RTCPeerConnection({iceServers:[{urls:'turn:'+h+'?transport=tcp',username:'u',credential:'c'}]});p.createDataChannel('x');p.createOffer().then(o=>p.setLocalDescription(o))}",
    "{const p=new RTCPeerConnection();p.createDataChannel('x');p.setRemoteDescription({type:'offer',sdp:SDP}).then(()=>p.createAnswer()).then(a=>p.setLocalDescription(a)).catch(no)}",
    "new Image().src=own+'/to?'+u",
    "fetch(own+'/to?'+u,{mode:'no-cors'}).catch(no)",
    "add('iframe',{src:own+'/to?'+u})",
    "add('script',{src:own+'/to?'+own+'/to?'+u})",
    "fetch('file:///etc/passwd').catch(no)",
    "add('iframe',{src:'file:///etc/passwd'})",
    "fetch('ftp://'+h).catch(no)",
    "add('iframe',{src:'view-source:'+u})",
    "location.href=u",
)
_SDP = (
    "v=0\\r\\no=- 1 1 IN IP4 {a}\\r\\ns=-\\r\\nt=0 0\\r\\na=group:BUNDLE 0\\r\\n"
    "m=application {port} UDP/DTLS/SCTP webrtc-datachannel\\r\\nc=IN IP4 {a}\\r\\na=mid:0\\r\\na=ice-ufrag:abcd\\r\\n"
    "a=ice-pwd:abcdefghijklmnopqrstuvwx\\r\\na=fingerprint:sha-256 "
    + ":".join(["AA"] * 32)
    + "\\r\\na=setup:actpass\\r\\n"
    "a=sctp-port:5000\\r\\na=candidate:1 1 udp 2130706431 {a} {port} typ host\\r\\n"
    "a=candidate:2 1 tcp 1518280447 {a} {port} typ host tcptype passive\\r\\n"
)
PROBE_SCRIPT_NAME = "probes"
ATTEMPTS = len(_SPELLINGS) * len(_BY_URL) + len(_ONCE)


def make_probe_script(probed: str, own: str) -> str:
    """Return the script; it counts its attempts in the attribute `data-tried` of the root.

    `own` is where the page's host redirects to any address: `own/to?ADDRESS`.
    """
    address, _, port = probed.rpartition(":")
    number = int(IPv4Address(address))
    hosts = [f"{spelling.format(a=address, n=number, m=number & 0xFFFFFF)}:{port}" for spelling in _SPELLINGS]
    tries = [f"(u,h)=>{{{one}}}" for one in _BY_URL]
    once = [f"(u,h)=>{{{one}}}" for one in _ONCE]
    sdp = _SDP.format(a=address, port=port)
    return f"""const own='{own}',SDP='{sdp}';let tried=0;const no=()=>{{}};
const add=(t,o)=>{{const e=document.createElement(t);for(const k in o)e.setAttribute(k,o[k]);document.body.append(e);return e}};
const go=(f,h)=>{{tried++;try{{f('http://'+h+'/p'+tried,h)}}catch(e){{}};document.documentElement.dataset.tried=tried}};
addEventListener('load',()=>{{
for(const h of {hosts!r})for(const f of [{",".join(tries)}])go(f,h);
for(const f of [{",".join(once)}])go(f,'{hosts[0]}');
}});
"""
