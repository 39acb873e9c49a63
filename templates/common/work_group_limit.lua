-- work_group_limit.lua: checks that a work-group fits the device. Stands below work_group_size.

check({ "work_group_size" },
      function(p, t)
          local most = t.work_group_size or 1024
          return p.work_group_size <= most, p.work_group_size .. " of " .. most
      end,
      "work_group_size must not exceed the device's maximum (the fact work_group_size, 1024 if " ..
      "the page names none)")
