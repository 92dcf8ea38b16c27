/**
 * Questions of operators about their fleet, as docs/query-guide.md shows them. The answers contain no times, because
 * times differ in each run.
 */
export interface Question {
  readonly question: string;
  readonly pql: string;
  /** A remark about the query. */
  readonly note?: string;
}

export interface Chapter {
  readonly title: string;
  readonly questions: readonly Question[];
}

export const chapters: readonly Chapter[] = [
  {
    title: 'Which nodes need attention?',
    questions: [
      {
        question: 'Which nodes failed in their last run?',
        pql: 'nodes[certname, report_environment] { latest_report_status = "failed" order by certname }',
      },
      {
        question: 'Which nodes have not reported for 2 hours?',
        pql: 'nodes[certname] { report_timestamp < now() - 2h or report_timestamp is null order by certname }',
        note: 'If a node has never sent a report, its `report_timestamp` is null.',
      },
      {
        question: 'How many nodes are in each state?',
        pql: 'nodes[latest_report_status, count()] { group by latest_report_status order by count() desc, latest_report_status }',
      },
      {
        question: 'Which nodes changed something in the last hour?',
        pql: 'nodes[certname] { latest_report_status = "changed" and report_timestamp > now() - 1h order by certname limit 5 }',
      },
      {
        question: 'Which nodes run without changing anything (noop)?',
        pql: 'nodes[certname] { latest_report_noop = true order by certname }',
      },
      {
        question: 'Which nodes have a catalog but no recent facts?',
        pql: 'nodes[certname] { catalog_timestamp is not null and facts_timestamp < "3 hours ago" order by certname }',
      },
      {
        question: 'Which nodes would change something if they were not in noop mode?',
        pql: 'nodes[certname] { latest_report_noop_pending = true order by certname }',
      },
      {
        question: 'How many nodes of each environment failed?',
        pql: 'nodes[report_environment, count()] { latest_report_status = "failed" group by report_environment order by count() desc, report_environment }',
      },
    ],
  },
  {
    title: 'What happened?',
    questions: [
      {
        question: 'Which nodes failed in the last 24 hours, and why?',
        pql: 'events[certname, resource_type, resource_title, message] { status = "failure" and timestamp > now() - 1d order by certname, resource_type, resource_title limit 3 }',
        note: 'A run without a catalog has no events, so this query does not find it. The next query finds such runs.',
      },
      {
        question: 'Which nodes failed in the last 24 hours, although no event failed?',
        pql: 'reports[distinct certname] { status = "failed" and end_time > now() - 1d and !(hash in events[report] { status = "failure" }) order by certname limit 3 }',
        note: 'For example, the server could not compile the catalogs of these nodes. `nodeledger report NODE` shows the errors of the last run.',
      },
      {
        question: 'Which classes failed most this week?',
        pql: 'events[containing_class, count()] { status = "failure" and timestamp > "7 days ago" group by containing_class order by count() desc, containing_class limit 5 }',
      },
      {
        question: 'Which types of resources change most?',
        pql: 'events[resource_type, count()] { status = "success" group by resource_type order by count() desc, resource_type limit 5 }',
      },
      {
        question: 'How many nodes had a failure of each type of resource?',
        pql: 'events[resource_type, count_distinct(certname)] { status = "failure" group by resource_type order by count_distinct(certname) desc, resource_type }',
      },
      {
        question: 'Which nodes skipped resources because others failed?',
        pql: 'events[distinct certname] { status = "skipped" order by certname }',
      },
      {
        question: 'Which resources were corrected after somebody had changed them by hand?',
        pql: 'events[resource_type, count()] { corrective_change = true group by resource_type order by resource_type }',
      },
      {
        question: 'Which resources fail on most nodes?',
        pql: 'events[resource_type, resource_title, count_distinct(certname)] { status = "failure" and timestamp > now() - 7d group by resource_type, resource_title order by count_distinct(certname) desc, resource_type, resource_title limit 3 }',
      },
      {
        question: 'What changed on a node today?',
        pql: 'events[resource_type, resource_title, property, new_value] { certname ~ "^api-0012" and status = "success" and timestamp > now() - 24h order by resource_type, resource_title, property limit 3 }',
        note: 'If you know the whole name, write `certname = "…"`. This condition is faster, because PostgreSQL can use an index.',
      },
    ],
  },
  {
    title: 'What is slow?',
    questions: [
      {
        question: 'Which catalogs are slowest?',
        pql: 'reports[certname, metrics.time.config_retrieval] { latest_report? = true order by metrics.time.config_retrieval desc limit 3 }',
        note: 'The metric `config_retrieval` is the time in seconds that the node waited for its catalog. Runs without this metric come first. To omit these runs, add the condition `metrics.time.config_retrieval is not null`.',
      },
      {
        question: 'How long do runs take on average in each environment?',
        pql: 'reports[environment, avg(metrics.time.total)] { end_time > now() - 1d group by environment order by avg(metrics.time.total) desc }',
      },
      {
        question: 'Which runs of the last 2 hours changed more than 20 resources?',
        pql: 'reports[certname, metrics.resources.changed] { end_time > now() - 2h and metrics.resources.changed > 20 order by certname limit 5 }',
      },
      {
        question: 'Which nodes have the largest catalogs?',
        pql: 'resources[certname, count()] { group by certname order by count() desc, certname limit 3 }',
      },
    ],
  },
  {
    title: 'What do we have?',
    questions: [
      {
        question: 'How many nodes run each release of each operating system?',
        pql: 'inventory[facts.os.name, facts.os.release.full, count()] { group by facts.os.name, facts.os.release.full order by count() desc, facts.os.name }',
      },
      {
        question: 'Which roles are there?',
        pql: 'inventory[distinct facts.role] { order by facts.role }',
      },
      {
        question: 'Which nodes are web servers, however the role is written?',
        pql: 'inventory[certname] { facts.role ~* "^WEB$" order by certname limit 3 }',
      },
      {
        question: 'How many processors do the nodes of each data center have?',
        pql: 'inventory[facts.datacenter, sum(facts.processors.count)] { group by facts.datacenter order by sum(facts.processors.count) desc, facts.datacenter }',
      },
      {
        question: 'Which nodes have a volume that is more than 70 % full?',
        pql: 'fact_contents[distinct certname] { path ~> ["mountpoints", ".*", "capacity"] and value ~ "^([789][0-9]|100)" order by certname limit 3 }',
      },
      {
        question: 'Which nodes wait for a reboot?',
        pql: 'inventory[certname] { facts.patching.reboot.required = true order by certname limit 3 }',
      },
      {
        question: 'Which versions of openssl are installed, and on how many nodes?',
        pql: 'package_inventory[package_name, version, count()] { package_name = "openssl" group by package_name, version order by count() desc, version }',
      },
      {
        question: 'Which nodes run openssl older than 3.0.9?',
        pql: 'package_inventory[certname, version] { package_name = "openssl" and version(version) < version("3.0.9") order by certname }',
        note: 'The service compares the versions of a package by the rules of the provider of the package, such as `apt` or `gem` ([operators.md](operators.md#versions)).',
      },
      {
        question: 'Which nodes do not have telegraf, which all nodes should have?',
        pql: 'nodes[certname] { !(certname in package_inventory[certname] { package_name = "telegraf" }) order by certname }',
      },
      {
        question: 'Which packages are installed on few nodes only?',
        pql: 'package_inventory[package_name, count_distinct(certname)] { group by package_name having count_distinct(certname) < 3 order by count_distinct(certname), package_name limit 3 }',
      },
      {
        question: 'Which kernels are older than 5.14?',
        pql: 'facts[certname, value] { name = "kernelrelease" and version(value) < version("5.14") order by certname }',
      },
      {
        question: 'Which nodes run an old release of their operating system?',
        pql: 'inventory[certname, facts.os.name, facts.os.release.full] { (facts.os.family = "RedHat" and version(facts.os.release.full) < version("9")) or (facts.os.name = "Debian" and version(facts.os.release.full) < version("12")) or (facts.os.name = "Ubuntu" and version(facts.os.release.full) < version("24.04")) order by certname }',
      },
      {
        question: 'Which agents are older than 8?',
        pql: 'reports[agent_version, count()] { latest_report? = true and version(agent_version) < version("8") group by agent_version order by agent_version }',
      },
      {
        question: 'How much memory do the nodes of each role have, in bytes?',
        pql: 'inventory[facts.role, count(), sum(facts.memory.system.total_bytes)] { group by facts.role order by sum(facts.memory.system.total_bytes) desc, facts.role }',
      },
      {
        question: 'Which nodes have less than 25 GB free on /?',
        pql: 'inventory[certname, facts.mountpoints."/".available] { facts.mountpoints."/".available_bytes < 25000000000 order by certname limit 3 }',
      },
      {
        question: 'Which nodes have not been restarted for 300 days?',
        pql: 'inventory[certname, facts.system_uptime.days] { facts.system_uptime.days > 300 order by certname }',
      },
      {
        question: 'Which nodes share a rack with a given node?',
        pql: 'facts[certname] { name = "rack" and value in facts[value] { name = "rack" and certname ~ "^queue-0000" } order by certname }',
      },
      {
        question: 'Are there duplicate serial numbers or addresses?',
        pql: 'facts[name, value, count_distinct(certname)] { name in ["serialnumber", "ipaddress", "macaddress"] group by name, value having count_distinct(certname) > 1 order by name, value }',
      },
      {
        question: 'Which nodes have the same serial number as another node?',
        pql: 'facts[value, certname] { name = "serialnumber" and value in facts[value] { name = "serialnumber" group by value having count() > 1 } order by value, certname }',
      },
    ],
  },
  {
    title: 'Who manages it?',
    questions: [
      {
        question: 'Which types of resources are managed most?',
        pql: 'resources[type, count()] { group by type order by count() desc, type limit 5 }',
      },
      {
        question: 'Which nodes manage the service nginx?',
        pql: 'resources[certname] { type = "Service" and title = "nginx" order by certname limit 3 }',
      },
      {
        question: 'On how many nodes is each class used?',
        pql: 'resources[title, count_distinct(certname)] { type = "Class" and title ~* "::" group by title order by count_distinct(certname) desc, title limit 5 }',
      },
      {
        question: 'In which files are the classes of failed nodes declared?',
        pql: 'resources[distinct file] { type = "Class" and nodes { latest_report_status = "failed" } order by file limit 3 }',
      },
      {
        question: 'Who manages port 443?',
        pql: 'resources[certname, type, title] { parameters.port = 443 or parameters.dport = 443 order by certname, type, title }',
      },
      {
        question: 'Which nodes manage sshd_config, and where is it declared?',
        pql: 'resources[certname, file, line] { type = "File" and title = "/etc/ssh/sshd_config" order by certname limit 3 }',
      },
      {
        question: 'Which resources do nodes export for others?',
        pql: 'resources[type, count(), count_distinct(certname)] { exported = true group by type order by type }',
      },
      {
        question: 'Which resources does a service of a node require or listen to?',
        pql: 'edges[relationship, source_type, source_title] { target_type = "Service" and target_title = "sshd" and certname ~ "^queue-0000" order by relationship, source_type, source_title }',
      },
      {
        question: 'Which user accounts have a shell?',
        pql: 'resources[title, count_distinct(certname)] { type = "User" and parameters.shell ~ "bash" group by title order by title limit 3 }',
      },
      {
        question: 'Which sudo rules are there, and on how many nodes?',
        pql: 'resources[type, title, count_distinct(certname)] { type ~ "^Sudo::" group by type, title order by count_distinct(certname) desc, type, title limit 3 }',
      },
      {
        question: 'How many nodes does each environment have?',
        pql: 'catalogs[environment, count()] { group by environment order by count() desc, environment }',
      },
      {
        question: 'Which code was deployed to how many nodes?',
        pql: 'catalogs[code_id, count()] { group by code_id order by count() desc, code_id limit 3 }',
      },
    ],
  },
];
