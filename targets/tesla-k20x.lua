-- tesla-k20x.lua: the device of the EVC-HYB paper.

inherit "kepler"
description = "NVIDIA Tesla K20X, Kepler, sm_35"
source = "Guo, Gropp & Olson, EVC-HYB, IJHPCA 2016"
match = "K20X"                          -- the name that the CUDA driver reports
compute_capability = 35                 -- NVIDIA, list of CUDA GPUs
compiler_device = "sm_35"               -- LLVM's name of compute capability 3.5
compute_units = 14                      -- EVC-HYB paper, 3: 14 SMX
device_memory = 6 * 1024 * 1024 * 1024  -- EVC-HYB paper, 3: 6 GB
copy_bandwidth = 182750                 -- EVC-HYB paper, Table 2: STREAM's Copy, 182.75 GB/s
memory = "discrete"                     -- a PCI Express card
cache_sharing = "separate"              -- a PCI Express card
evc_hyb.work_group_size = 256           -- EVC-HYB paper, 3
evc_hyb.boundary = 128                  -- EVC-HYB paper, 2.1: rows up to here go to the ELL part
evc_hyb.alignment = 32                  -- EVC-HYB paper, 2.1
evc_hyb.narrow_span = 0                 -- EVC-HYB paper, 3.2: columns of 32 bits
evc_hyb.load_width = 1                  -- EVC-HYB paper, Listing 1: column by column
evc_hyb.rows_by_longest = "yes"         -- EVC-HYB paper, 2.1: 2^i rows up to LRmax / 2^i nonzeros
evc_hyb.least_items_per_row = 16        -- derived: 128 / 8, by the paper's 2.1 and 1
evc_hyb.items_per_row = 256             -- EVC-HYB paper, 1, Listing 2: a block's threads
evc_hyb.nonzeros_per_item = 8           -- EVC-HYB paper, 1: 2^i threads up to 8 * 2^i nonzeros
evc_hyb.vcsr_alignment = 32             -- EVC-HYB paper, 2.1: rows of the vCSR part
evc_hyb.ell_storage = "columns"         -- EVC-HYB paper, 2.1, Listing 1
evc_hyb.split_at = 1 << 30              -- EVC-HYB paper, Listing 2: no row is split
evc_hyb.first_groups = "shortest"       -- EVC-HYB paper, 2.1, Algorithm 1: the ELL part first
evc_hyb.read_only_x = "yes"             -- EVC-HYB paper, 2.2: x by the read-only cache
