/**
 * The public internet as a NetworkPolicy can express it: all of IPv4 except non-public ranges, and the part of IPv6
 * assigned to public hosts. The prober's own guard follows the same rules and knows more, since it judges after name
 * resolution.
 * @source IANA IPv4 and IPv6 special-purpose address registries; 168.63.129.16 is the platform endpoint of Azure
 */
export const PUBLIC_RANGES = {
  ipv4: {
    cidr: '0.0.0.0/0',
    except: [
      '0.0.0.0/8',
      '10.0.0.0/8',
      '100.64.0.0/10',
      '127.0.0.0/8',
      '168.63.129.16/32',
      '169.254.0.0/16',
      '172.16.0.0/12',
      '192.0.0.0/24',
      '192.0.2.0/24',
      '192.31.196.0/24',
      '192.52.193.0/24',
      '192.88.99.0/24',
      '192.168.0.0/16',
      '192.175.48.0/24',
      '198.18.0.0/15',
      '198.51.100.0/24',
      '203.0.113.0/24',
      '224.0.0.0/4',
      '240.0.0.0/4',
    ],
  },
  ipv6: { cidr: '2000::/3', except: ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'] },
} as const
