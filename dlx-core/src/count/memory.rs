//! How much memory the tables may have where the caller has not said so.

/// A quarter of what the machine has free, where that is known (Linux), and of what its control group
/// allows; otherwise 1 GiB, or 256 MiB where addresses have 32 bits.
pub(crate) fn default_limit() -> usize {
    free().map_or(if usize::BITS > 32 { 1 << 30 } else { 256 << 20 }, |free| free / 4)
}

#[cfg(all(feature = "std", target_os = "linux"))]
fn free() -> Option<usize> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let free = line.split_whitespace().next()?.parse::<usize>().ok()?.checked_mul(1024)?;
    let group = |name| std::fs::read_to_string(name).ok()?.trim().parse::<usize>().ok();
    let limit =
        group("/sys/fs/cgroup/memory.max").or_else(|| group("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    Some(free.min(limit.unwrap_or(usize::MAX)))
}

#[cfg(not(all(feature = "std", target_os = "linux")))]
fn free() -> Option<usize> {
    None
}
