// Applies the patches that N8N_TUNED_PATCHES names to modules of the n8n in N8N_ROOT, in a process that is not n8n.
require(process.env.PATCH_LOADER).begin(process.env.N8N_ROOT)
