#!/usr/bin/env python3
"""Writes pairs.json: pairs of versions, and how the tools themselves compare them (-1, 0, 1).

Needs dpkg, Debian's python3-rpm, Ruby, Python's packaging, and the package semver of npm: `/usr/bin/python3 test/versions/record.py`.
"""
import json
import random
import subprocess
import sys
from pathlib import Path

from packaging.version import InvalidVersion, Version

random.seed(7)

# Beside random ones: the versions of rpm's own tests of rpmvercmp, and of the manuals of dpkg and Debian.
known = {
    'rpm': '''1.0 2.0 2.0.1 2.0.1a 5.5p1 5.5p2 5.5p10 10xyz 10.1xyz xyz10 xyz10.1 xyz.4 8 xyz 5.5p2 5.6p1 5.6p1 6.5p1 6.0.rc1 6.0
        10b2 10a1 1.0a 1.0aa 10.0001 10.1 10.0039 4.999.9 5.0 20101121 20101122 2_0 2.0 a a+ a_ +a _a + _ 1.0~rc1 1.0~rc2
        1.0~rc1~git123 1.0^ 1.0^git1 1.0^git2 1.0.1 1.0^git1~pre 1.0~rc1^git1 1.0^20160101 1.0.1^git1 1.0^20160102 1.0^git1
        1.0^git1^pre 1.1.alpha 1.1.a 1b.fc17 1g.fc17 1.0-1 1.0-2 1.0-1.el9 1:0.5-1 0:1.0 1.0-1.el9_2 1.0-10 3.0.7-16.el9
        1:3.0.7-16.el9_2 1:3.0.7-6.el9_2 4.18.0-372.9.1.el8 4.18.0-372.19.1.el8 1.1.1k-7.el8_6 1.1.1g-15.el8_3 007 7 0 00''',
    'deb': '''1.0 1.0-0 1.0-1 1.0-1~bpo12+1 1.0~rc1 1.0~~ 1.0~~a 1.0~ 1.0a 1.0+b1 1.0-1ubuntu1 1.0-1ubuntu1.1 1:0.9 0:1.0 1.0-1+deb11u2
        3.0.11-1~deb12u2 3.0.9-1 3.0.9 1.1.1n-0+deb11u5 1.0.0 0 00 0a a 1.2.3-4.5 1.2.3-4-5 2:8.2.3995-1ubuntu2.11 0.9j-20080306-4
        7.6p2-4 10.0 010.0 1.0:1 1.0.~1 1.0.1 20230101 1.0+dfsg-1 1.0+dfsg1-1''',
    'gem': '''1 1.0 1.0.0 1.0.a 1.a 1.0.0.rc1 1.0.0.rc2 1.0.0.rc10 1.0.pre 1.0.1 1.10 1.9 2.0.b1 2.0.b 2.0 1.0-1 1.0.pre.1 0.0.1 0 0.a
        1.a0.a 1.a.0.a 1.a.a 1.a 1.c.a0 1.0-x86 1-0-x86
        1.0.0.beta.2 1.0.0.alpha.11 10.0 8.5.0 7.34.0''',
    'semver': '''1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 2.0.0 2.1.0 2.1.1
        1.0.0+20130313144700 1.0.0-beta+exp.sha.5114f85 1.0.0--- 1.0.0-x-y-z.- 1.0.0-0A 1.0.0-1 1.0.0-10 1.0.0-2 v1.2.3 10.0.0 0.0.0
        0.0.0-0 1.0.0-alpha-1 1.0.0-Beta''',
    'python': '''1.0.dev456 1.0a1 1.0a2.dev456 1.0a12.dev456 1.0a12 1.0b1.dev456 1.0b2 1.0b2.post345.dev456 1.0b2.post345 1.0rc1.dev456
        1.0rc1 1.0 1.0.post456.dev34 1.0.post456 1.1.dev1 1 1.0.0 1.0c1 1.0-rc.2 1!0.5 2.0 v1.0 1.0pre1 1.0.alpha1 2023.10.1 23.3.1
        1.0+dev 1.0+ubuntu1 1.0+ubuntu.1 1.0+1.2 1+1.2 1.0.post1+x 1.0-1 1.0-r4 1.0.rev3 v1!2.0 2.0.1+cu118 2.0.1+cu121 2.0.1+cpu 1.0a 1.0+a 1.0.post2+local.7''',
}
alphabets = {
    'rpm': ['0', '1', '2', '10', '01', 'a', 'b', 'rc', 'el', '.', '.', '-', '~', '^', '_', '+'],
    'deb': ['0', '1', '2', '10', '01', 'a', 'b', 'rc', 'Z', '.', '.', '-', '~', '+'],
    'gem': ['0', '1', '2', '10', 'a', 'b', 'rc', '.', '.', '.', '-'],
    'semver': ['0', '1', '10', 'a', 'rc', 'B', '.', '.', '-', '-'],
    'python': ['0', '1', '2', '10', 'a1', 'b2', 'rc1', '.post1', '.dev1', '.0', '.1', '.2', '-1', '-r2', '+', '+a'],
}


def random_version(rule):
    if rule == 'semver':
        core = '.'.join(random.choice(['0', '1', '10']) for _ in range(3))
        tail = ''.join(random.choice(alphabets[rule]) for _ in range(random.randint(0, 6)))
        return core + (f'-{tail}' if tail else '') + random.choice(['', '', '+b'])
    text = random.choice(['0', '1', '2']) + ''.join(random.choice(alphabets[rule]) for _ in range(random.randint(0, 7)))
    return (random.choice(['', '', '', '1:', '0:']) if rule in ('deb', 'rpm') else '') + text


def rpm_parts(text):
    epoch, colon, rest = text.partition(':')
    if not (colon and epoch.isdigit()):
        epoch, rest = '0', text
    version, dash, release = rest.rpartition('-')
    return (epoch, version, release) if dash else (epoch, rest, None)


def deb_is(one, relation, other):
    run = subprocess.run(['dpkg', '--compare-versions', one, relation, other], capture_output=True)
    return None if run.stderr else run.returncode == 0


def compare(rule, one, other):
    """None: one of them is no version for the tool."""
    if rule == 'rpm':
        import rpm
        return rpm.labelCompare(rpm_parts(one), rpm_parts(other))
    if rule == 'deb':
        less = deb_is(one, 'lt', other)
        return None if less is None else -1 if less else 0 if deb_is(one, 'eq', other) else 1
    try:
        left, right = Version(one), Version(other)
    except InvalidVersion:
        return None
    return (left > right) - (left < right)


def run(command, pairs):
    """Gives the pairs as JSON to a program that prints the results as JSON."""
    return json.loads(subprocess.run(command, input=json.dumps(pairs), capture_output=True, text=True, check=True).stdout)


def gems(pairs):
    return run(['ruby', '-e', '''require 'json'
      puts JSON.generate(JSON.parse(STDIN.read).map { |a, b|
        Gem::Version.correct?(a) && Gem::Version.correct?(b) ? Gem::Version.new(a) <=> Gem::Version.new(b) : nil })'''], pairs)


def semvers(pairs):
    return run(['node', '-e', '''const { compare, valid } = require("semver");
      console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0)).map(([a, b]) =>
        valid(a) && valid(b) ? compare(a, b) : null)))'''], pairs)


def pairs_of(rule):
    versions = sorted(set(known[rule].split()))
    pairs = [(random.choice(versions), random.choice(versions)) for _ in range(400)]
    pairs += [(random_version(rule), random_version(rule)) for _ in range(600)]
    whole = {'gem': gems, 'semver': semvers}.get(rule)
    results = whole(pairs) if whole else [compare(rule, one, other) for one, other in pairs]
    return [[one, other, result] for (one, other), result in zip(pairs, results) if result is not None]


rules = sys.argv[1:] or list(known)
file = Path(__file__).with_name('pairs.json')
recorded = json.loads(file.read_text()) if file.exists() else {}
recorded.update({rule: pairs_of(rule) for rule in rules})
lines = [f'  "{rule}": [\n' + ',\n'.join('    ' + json.dumps(pair) for pair in recorded[rule]) + '\n  ]' for rule in sorted(recorded)]
file.write_text('{\n' + ',\n'.join(lines) + '\n}\n')
print({rule: len(pairs) for rule, pairs in recorded.items()})
