"""An example of a config repo plugin: pipelines of one command each, written as INI files.

    [web]
    group = shop
    git = https://scm.example.org/web.git
    run = make all

One JSON request comes on standard input, one JSON answer goes to standard output.
The protocol is described in docs/config-repo-plugins.md.
"""

import configparser
import json
import shlex
import sys

PROTOCOL = 1
KEYS = {"group", "git", "branch", "run"}


def line_of_section(content, name):
    for number, line in enumerate(content.splitlines(), 1):
        if line.strip() == f"[{name}]":
            return number
    return 1


def pipeline(name, section, settings):
    words = shlex.split(section["run"])
    material = {"type": "git", "url": section["git"]}
    if "branch" in section:
        material["branch"] = section["branch"]
    task = {"type": "exec", "command": words[0], "arguments": words[1:]}
    return {
        "name": name,
        "group": section.get("group", settings.get("default_group", "defaultGroup")),
        "materials": [material],
        "stages": [{"name": "run", "jobs": [{"name": "run", "tasks": [task]}]}],
    }


def parse(request):
    content = request["file"]["content"]
    parser = configparser.ConfigParser(interpolation=None, default_section="")
    try:
        parser.read_string(content)
    except configparser.Error as problem:
        line = getattr(problem, "lineno", None) or 1
        return {"errors": [{"line": line, "message": problem.message.splitlines()[0]}]}
    pipelines, errors = [], []
    for name in parser.sections():
        section, line = parser[name], line_of_section(content, name)
        entity = f"pipeline '{name}'"
        missing = [key for key in ("git", "run") if not section.get(key, "").strip()]
        unknown = sorted(set(section) - KEYS)
        for key in missing:
            errors.append({"line": line, "entity": entity, "message": f"{key} is missing", "hint": f"Add a line such as {key} = …"})
        for key in unknown:
            errors.append({"line": line, "entity": entity, "message": f"{key} is not known", "hint": f"Possible are {', '.join(sorted(KEYS))}."})
        if not missing and not unknown:
            pipelines.append({"line": line, "definition": pipeline(name, section, request["settings"])})
    return {"format_version": 11, "pipelines": pipelines, "errors": errors}


def export(request):
    given = request["pipeline"]
    stages = given.get("stages", [])
    jobs = [job for stage in stages for job in stage["jobs"]]
    tasks = [task for job in jobs for task in job["tasks"]]
    materials = given["materials"]
    if [len(stages), len(tasks), len(materials)] != [1, 1, 1] or tasks[0]["type"] != "exec" or materials[0]["type"] != "git":
        return {"error": "Only pipelines of one git material and one command can be written as INI."}
    words = [tasks[0]["command"], *tasks[0].get("arguments", [])]
    lines = [f"[{given['name']}]", f"group = {given['group']}", f"git = {materials[0]['url']}"]
    if "branch" in materials[0]:
        lines.append(f"branch = {materials[0]['branch']}")
    lines.append(f"run = {shlex.join(words)}")
    name = f"{given['name']}.pipelines.ini"
    return {"file": {"name": name, "content_type": "text/plain; charset=utf-8", "content": "\n".join(lines) + "\n"}}


def main():
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    request = json.load(sys.stdin)
    if request["protocol"] != PROTOCOL:
        sys.exit(f"This plugin speaks protocol {PROTOCOL}, not {request['protocol']}.")
    answer = {"parse": parse, "export": export}[request["call"]](request)
    json.dump({"protocol": PROTOCOL, **answer}, sys.stdout)


main()
