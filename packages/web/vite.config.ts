// The page as static files. Addresses are relative, so that it works at any path of any host.

import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  // Our packages from their sources, as the tests take them.
  resolve: { conditions: ['@vicinal/source', 'module', 'browser', 'default'] },
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    // Inlined files would be data: addresses, which the content security policy forbids for scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  logLevel: 'warn',
})
