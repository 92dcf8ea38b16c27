import { rowsIn, wordsIn } from './word-table';

export interface FleetModule {
  readonly name: string;
  readonly packages: readonly string[];
  readonly service: string;
  readonly directory: string;
  readonly defines: readonly string[];
}

/** The columns are name, packages, service, configuration directory and defined types. */
const TABLE = `
chrony | chrony tzdata | chronyd | /etc/chrony | pool keyfile acl refclock
ssh | openssh-server openssh-client | sshd | /etc/ssh | match_block host_key client_config principal
sudo | sudo | sudo-logsrvd | /etc/sudoers.d | conf alias defaults rule
rsyslog | rsyslog rsyslog-gnutls | rsyslog | /etc/rsyslog.d | ruleset template input action
logrotate | logrotate | logrotate | /etc/logrotate.d | rule retention schedule archive
telegraf | telegraf | telegraf | /etc/telegraf/telegraf.d | input output processor aggregator
firewall_policy | nftables ipset | nftables | /etc/nftables.d | chain zone set counter
pam_access | libpam-modules sssd | sssd | /etc/security | entry limit group_map domain
auditd | auditd audispd-plugins | auditd | /etc/audit/rules.d | rule watch plugin syscall
backup_agent | restic bacula-fd | bacula-fd | /etc/bacula | fileset job exclude director
postfix_relay | postfix mailutils | postfix | /etc/postfix | map transport alias header_check
node_exporter | prometheus-node-exporter | prometheus-node-exporter | /etc/prometheus | textfile collector probe label
trust_store | ca-certificates openssl | ca-refresh | /etc/ssl | authority certificate bundle keypair
nginx | nginx nginx-common libnginx-mod-http-geoip | nginx | /etc/nginx | site upstream location rate_limit
haproxy | haproxy hatop | haproxy | /etc/haproxy | frontend backend balancermember userlist
varnish | varnish varnish-modules | varnish | /etc/varnish | vcl probe director storage
keepalived | keepalived | keepalived | /etc/keepalived | vrrp_instance virtual_server track_script notify_hook
php_fpm | php8.2-fpm php8.2-mysql php8.2-intl | php8.2-fpm | /etc/php/8.2/fpm | pool extension ini_file session_store
postgres_cluster | postgresql-15 postgresql-contrib pgbouncer | postgresql | /etc/postgresql/15 | role database hba_rule grant
redis_cache | redis-server redis-tools | redis-server | /etc/redis | instance acl_user sentinel module
rabbit_broker | rabbitmq-server erlang-base | rabbitmq-server | /etc/rabbitmq | vhost exchange queue policy
elastic_index | elasticsearch elasticsearch-curator | elasticsearch | /etc/elasticsearch | index_template pipeline snapshot_repo role_map
kafka_broker | kafka openjdk-17-jre-headless | kafka | /etc/kafka | topic quota listener connector
container_host | containerd.io docker-ce docker-compose-plugin | docker | /etc/docker | network volume registry stack
kube_node | kubelet kubeadm kubectl | kubelet | /etc/kubernetes | taint manifest kubeconfig csi_driver
java_app | openjdk-17-jdk-headless tomcat10 | tomcat10 | /etc/tomcat10 | deployment datasource valve connector_port
python_app | python3-venv python3-pip uwsgi | uwsgi | /etc/uwsgi | virtualenv worker requirement wsgi_script
node_app | nodejs npm | pm2 | /etc/pm2 | process ecosystem env_file log_stream
cron_farm | cron anacron | cron | /etc/cron.d | task window lock calendar
nfs_server | nfs-kernel-server quota | nfs-server | /etc/exports.d | export idmap quota_rule referral
samba_share | samba winbind | smbd | /etc/samba | share idmap_range printer policy_set
ldap_directory | slapd ldap-utils | slapd | /etc/ldap | overlay schema acl replica
bind_dns | bind9 bind9-utils | named | /etc/bind | zone_file view tsig_key forwarder
dhcp_server | kea-dhcp4-server kea-admin | kea-dhcp4-server | /etc/kea | subnet reservation option_set client_class
metrics_store | prometheus prometheus-alertmanager | prometheus | /etc/prometheus/server | scrape_job alert_rule recording_rule receiver
dashboards | grafana | grafana-server | /etc/grafana | dashboard_file data_source folder contact_point
log_shipper | filebeat | filebeat | /etc/filebeat | prospector pipeline_ref output_host processor_chain
mail_store | dovecot-imapd dovecot-lmtpd | dovecot | /etc/dovecot | mailbox passdb sieve_script namespace_rule
spam_filter | rspamd clamav-daemon | rspamd | /etc/rspamd | symbol_group multimap greylist dkim_key
build_agent | jenkins-agent git make | jenkins-agent | /etc/jenkins | label_set tool_install credential workspace
artifact_store | nexus-oss | nexus | /etc/nexus | blob_store repository_format cleanup_policy content_selector
vpn_gateway | wireguard strongswan | strongswan | /etc/swanctl | peer tunnel pool_range cert_profile
storage_cluster | ceph-osd ceph-common | ceph-osd | /etc/ceph | osd crush_rule keyring pool_setting`;

const MODULES: readonly FleetModule[] = rowsIn(TABLE).map(
  ([name = '', packages = '', service = '', directory = '', defines = '']) => ({
    name,
    packages: wordsIn(packages),
    service,
    directory,
    defines: wordsIn(defines),
  }),
);

export function isModulePackage(name: string): boolean {
  return MODULES.some((module) => module.packages.includes(name));
}

/** In addition to `modules`, a machine with this role has the modules that all machines have. */
export interface FleetRole {
  readonly name: string;
  readonly share: number;
  readonly modules: readonly FleetModule[];
}

function moduleNamed(name: string): FleetModule {
  const found = MODULES.find((one) => one.name === name);
  if (found === undefined) throw new RangeError(`no module is named '${name}'`);
  return found;
}

export const BASE_MODULES: readonly FleetModule[] = MODULES.slice(0, 13);

/** The columns are name, share of the fleet in percent, and the eight modules that the role adds. */
export const ROLES: readonly FleetRole[] = rowsIn(`
web | 22 | nginx varnish php_fpm node_app redis_cache log_shipper keepalived haproxy
api | 16 | java_app nginx redis_cache kafka_broker log_shipper container_host python_app haproxy
database | 12 | postgres_cluster redis_cache keepalived haproxy cron_farm nfs_server log_shipper metrics_store
queue | 6 | rabbit_broker kafka_broker java_app haproxy keepalived log_shipper cron_farm redis_cache
search | 6 | elastic_index java_app nginx log_shipper haproxy dashboards kafka_broker cron_farm
worker | 14 | python_app node_app cron_farm rabbit_broker redis_cache container_host nfs_server log_shipper
kube | 10 | kube_node container_host keepalived haproxy storage_cluster nfs_server log_shipper metrics_store
directory | 3 | ldap_directory bind_dns dhcp_server samba_share keepalived vpn_gateway log_shipper nginx
mail | 3 | mail_store spam_filter ldap_directory redis_cache nginx haproxy log_shipper cron_farm
observability | 4 | metrics_store dashboards elastic_index kafka_broker nginx log_shipper postgres_cluster redis_cache
build | 3 | build_agent artifact_store container_host java_app node_app python_app nginx nfs_server
edge | 1 | vpn_gateway haproxy keepalived nginx varnish bind_dns log_shipper dhcp_server`).map(
  ([name = '', share, modules = '']) => ({
    name,
    share: Number(share),
    modules: wordsIn(modules).map(moduleNamed),
  }),
);
