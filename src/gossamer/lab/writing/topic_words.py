"""The topics with their words in English and German: hand-written data.

In other languages the words of a topic are drawn by hash from words of medium frequency
(`vocabulary.list_topic_words`), so that a topic has its own word distribution there, but not its meaning.
"""

TOPICS: dict[str, dict[str, str]] = {
    "astronomy": {
        "en": "star planet telescope galaxy orbit moon comet asteroid nebula sun solar lunar eclipse "
        "universe observatory astronomer light constellation satellite spacecraft gravity spectrum "
        "supernova dwarf cluster Mars Venus Jupiter Saturn Neptune meteor cosmic magnitude horizon "
        "sky equinox",
        "de": "Stern Planet Fernrohr Galaxie Umlaufbahn Mond Komet Asteroid Nebel Sonne Finsternis Weltall "
        "Sternwarte Astronom Licht Sternbild Satellit Raumschiff Schwerkraft Spektrum Supernova "
        "Zwergplanet Sternhaufen Mars Venus Jupiter Saturn Neptun Meteor Helligkeit Horizont Himmel "
        "Urknall Lichtjahr",
    },
    "computing": {
        "en": "computer program software hardware processor memory keyboard screen network server database "
        "file compiler language code bug debug algorithm data structure kernel operating system disk "
        "printer internet browser protocol router password encryption byte array loop function "
        "library",
        "de": "Rechner Programm Software Hardware Prozessor Speicher Tastatur Bildschirm Netzwerk Server "
        "Datenbank Datei Übersetzer Sprache Quelltext Fehler Algorithmus Daten Struktur "
        "Betriebssystem Festplatte Drucker Internet Browser Protokoll Passwort Verschlüsselung "
        "Schleife Funktion Bibliothek",
    },
    "cooking": {
        "en": "recipe kitchen oven pan butter flour sugar salt pepper onion garlic soup sauce bake boil fry "
        "roast chop stir dough bread cheese cream egg chicken beef fish rice pasta tomato potato "
        "lemon herb spice dish dessert spoon",
        "de": "Rezept Küche Ofen Pfanne Butter Mehl Zucker Salz Pfeffer Zwiebel Knoblauch Suppe Soße backen "
        "kochen braten schneiden rühren Teig Brot Käse Sahne Ei Huhn Rindfleisch Fisch Reis Nudeln "
        "Tomate Kartoffel Zitrone Kräuter Gewürz Gericht Nachtisch Löffel",
    },
    "football": {
        "en": "football goal match team player league coach referee penalty striker goalkeeper midfielder "
        "defender club stadium season championship cup kick pass corner foul offside tackle whistle "
        "fans score draw victory defeat transfer captain substitute pitch derby tournament",
        "de": "Fußball Tor Spiel Mannschaft Spieler Liga Trainer Schiedsrichter Elfmeter Stürmer Torwart "
        "Mittelfeld Verteidiger Verein Stadion Saison Meisterschaft Pokal Schuss Pass Ecke Foul "
        "Abseits Anpfiff Fans Ergebnis Unentschieden Sieg Niederlage Wechsel Kapitän Rasen Derby "
        "Turnier",
    },
    "gardening": {
        "en": "garden plant seed soil flower rose tulip tree shrub hedge lawn compost spade rake watering "
        "bed greenhouse vegetable herb fruit apple pear berry bulb prune harvest weed mulch "
        "fertiliser pot blossom leaf root stem pond spring",
        "de": "Garten Pflanze Samen Erde Blume Rose Tulpe Baum Strauch Hecke Rasen Kompost Spaten Rechen "
        "gießen Beet Gewächshaus Gemüse Obst Apfel Birne Beere Knolle schneiden Ernte Unkraut Mulch "
        "Dünger Topf Blüte Blatt Wurzel Stängel Teich Frühling",
    },
    "law": {
        "en": "law court judge lawyer contract statute constitution crime trial evidence witness jury "
        "verdict appeal plaintiff defendant rights liability property damages treaty legislation "
        "regulation licence tenant lease inheritance copyright patent prosecutor sentence clause "
        "legal judgment tribunal",
        "de": "Recht Gericht Richter Anwalt Vertrag Gesetz Verfassung Straftat Prozess Beweis Zeuge Urteil "
        "Berufung Kläger Beklagter Haftung Eigentum Schadenersatz Abkommen Verordnung Lizenz Mieter "
        "Miete Erbe Urheberrecht Patent Staatsanwalt Strafe Klausel Paragraph Klage Notar Kündigung",
    },
    "medicine": {
        "en": "doctor patient hospital disease therapy diagnosis symptom surgery nurse medicine drug "
        "vaccine infection virus fever pain heart lung blood brain bone cancer clinic treatment "
        "prescription tablet immune chronic allergy pressure tissue muscle wound health epidemic "
        "anatomy",
        "de": "Arzt Patient Krankenhaus Krankheit Therapie Diagnose Symptom Operation Pflege Medizin Arznei "
        "Impfung Infektion Virus Fieber Schmerz Herz Lunge Blut Gehirn Knochen Krebs Klinik "
        "Behandlung Rezept Tablette Allergie Blutdruck Gewebe Muskel Wunde Gesundheit Seuche Anatomie",
    },
    "music": {
        "en": "music song melody rhythm guitar piano violin drum orchestra concert opera symphony choir "
        "singer composer band jazz blues rock album chord harmony note scale tempo sonata quartet "
        "flute trumpet cello conductor lyrics tune stage organ festival",
        "de": "Musik Lied Melodie Rhythmus Gitarre Klavier Geige Schlagzeug Orchester Konzert Oper Sinfonie "
        "Chor Sänger Komponist Band Jazz Blues Album Akkord Harmonie Note Tonleiter Tempo Sonate "
        "Quartett Flöte Trompete Cello Dirigent Liedtext Klang Bühne Orgel Festival",
    },
    "railways": {
        "en": "railway train station locomotive track platform signal carriage timetable passenger freight "
        "conductor junction tunnel bridge gauge steam engine diesel electric express line branch "
        "depot ticket terminal wagon sleeper rail brake crossing departure arrival commuter tram",
        "de": "Eisenbahn Zug Bahnhof Lokomotive Gleis Bahnsteig Signal Wagen Fahrplan Reisende Güterzug "
        "Schaffner Weiche Tunnel Brücke Spurweite Dampf Diesel Strecke Betriebswerk Fahrkarte "
        "Schwelle Schiene Bremse Bahnübergang Abfahrt Ankunft Pendler Straßenbahn Oberleitung "
        "Stellwerk Zugführer",
    },
    "sailing": {
        "en": "sail boat yacht wind mast anchor harbour rope keel rudder crew skipper regatta knot tide "
        "wave deck jib hull compass chart course port starboard sea ocean voyage navigation coast "
        "storm buoy lighthouse cabin marina breeze tack",
        "de": "Segel Boot Jacht Wind Mast Anker Hafen Leine Kiel Ruder Mannschaft Skipper Regatta Knoten "
        "Gezeiten Welle Deck Fock Rumpf Kompass Seekarte Kurs Backbord Steuerbord Meer Ozean Seereise "
        "Navigation Küste Sturm Boje Leuchtturm Kajüte Brise Wende",
    },
}
"""Words by topic and language, the most typical first."""
