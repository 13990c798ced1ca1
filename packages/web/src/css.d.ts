// Vite takes style sheets that a module names into the page.

declare module '*.css' {}
