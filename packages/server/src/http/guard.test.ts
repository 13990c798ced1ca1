import { describe, expect, it } from 'vitest'
import { checkHost } from './guard.ts'

function passes(host: string | undefined, hosts: readonly string[]): boolean {
  try {
    checkHost(host, hosts)
    return true
  } catch {
    return false
  }
}

describe('the Host header', () => {
  it.each([
    ['localhost:4747', []],
    ['127.0.0.1', []],
    ['127.8.8.8:80', []],
    ['[::1]:4747', []],
    ['tags.example.org', ['tags.example.org']],
    ['Tags.Example.org:443', ['tags.example.org']],
    ['192.168.1.5:4747', ['192.168.1.5']],
    ['[fd00::2]:4747', ['fd00::2']],
    ['192.168.1.5:4747', ['0.0.0.0']],
    ['[fd00::2]:4747', ['::']],
  ] as const)('%j passes if this is served: %j', (host, hosts) => expect(passes(host, hosts)).toBe(true))

  it.each([
    [undefined, []],
    ['', []],
    ['evil.example', []],
    ['evil.example', ['0.0.0.0']],
    ['127.0.0.1.evil.example', ['0.0.0.0']],
    ['localhost.evil.example', []],
    ['192.168.1.5', []],
    ['192.168.1.6', ['192.168.1.5']],
    ['[fd00::2', ['::']],
  ] as const)('%j is refused if this is served: %j', (host, hosts) => expect(passes(host, hosts)).toBe(false))
})
