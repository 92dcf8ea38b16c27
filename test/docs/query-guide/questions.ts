/** What operators ask about their fleet, as docs/query-guide.md shows it. Answers hold no times: these differ in each run. */
export interface Question {
  readonly question: string;
  readonly pql: string;
  /** What to know about the query. */
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
        note: 'A node without any report has no `report_timestamp`.',
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
    ],
  },
  {
    title: 'What happened?',
    questions: [
      {
        question: 'Why did runs fail in the last 24 hours?',
        pql: 'events[certname, resource_type, resource_title, message] { status = "failure" and timestamp > now() - 1d order by certname, resource_type, resource_title limit 3 }',
      },
      {
        question: 'Which classes failed most in the last week?',
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
    ],
  },
  {
    title: 'What is slow?',
    questions: [
      {
        question: 'Which runs waited longest for their catalog?',
        pql: 'reports[certname, metrics.time.config_retrieval] { latest_report? = true order by metrics.time.config_retrieval desc limit 3 }',
        note: 'A run without this metric comes first. Add `metrics.time.config_retrieval is not null` to leave it out.',
      },
      {
        question: 'How long do runs take on average in each environment?',
        pql: 'reports[environment, avg(metrics.time.total)] { end_time > now() - 1d group by environment order by avg(metrics.time.total) desc }',
      },
      {
        question: 'Which runs of the last 2 hours changed more than 20 resources?',
        pql: 'reports[certname, metrics.resources.changed] { end_time > now() - 2h and metrics.resources.changed > 20 order by certname limit 5 }',
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
        question: 'In which files is the class of a failed node declared?',
        pql: 'resources[distinct file] { type = "Class" and nodes { latest_report_status = "failed" } order by file limit 3 }',
      },
    ],
  },
];
