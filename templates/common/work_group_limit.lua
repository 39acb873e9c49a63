-- work_group_limit.lua: a work-group fits the device. Stands below work_group_size.

check({ "work_group_size" },
      function(p, t)
          local most = t.work_group_size or 1024
          return p.work_group_size <= most, p.work_group_size .. " of " .. most
      end,
      "work_group_size must not exceed what the device's work-group may have (the fact work_group_size, 1024 where the page names none)")
