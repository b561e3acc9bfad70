namespace IoBench.Formats.DiskSpd.Reading.Text;

/// <summary>
/// DiskSpd never prints its version in text; its wording changed from release to release, and that gives it away.
/// Each mark bounds the version from below or from above; what is left is the answer, such as <c>2.2</c> or <c>2.0.21 to 2.1</c>.
/// </summary>
internal sealed class VersionGuess
{
    private static readonly string[] s_versions =
    [
        "2.0.11",
        "2.0.12",
        "2.0.14",
        "2.0.15",
        "2.0.16",
        "2.0.17",
        "2.0.18",
        "2.0.19",
        "2.0.20",
        "2.0.21",
        "2.1",
        "2.2",
        "2.3",
    ];

    private int _first;
    private int _last = s_versions.Length - 1;
    private bool _marked;
    private bool _isVersion23;

    /// <summary>It is the Linux program, which has no versions in its output.</summary>
    internal bool IsLinux { get; set; }

    /// <summary>Something that came with a version was seen.</summary>
    internal void AtLeast(string version)
    {
        _marked = true;
        _first = Math.Max(_first, NumberOf(version));
    }

    /// <summary>Something that a version was the last to print was seen.</summary>
    internal void AtMost(string version)
    {
        _marked = true;
        _last = Math.Min(_last, NumberOf(version));
    }

    // From the end: most marks are those of young versions.
    private static int NumberOf(string version) => Array.LastIndexOf(s_versions, version);

    /// <summary>Takes a line of the parameters as a mark, if it is one.</summary>
    internal void TakeParameter(ReadOnlySpan<char> line)
    {
        if (line.StartsWith("block size:"))
        {
            // 2.1 wrote units; below 1 KiB neither has any, but no such block is in use.
            if (line.EndsWith("B"))
                AtLeast("2.1");
            else
                AtMost("2.0.21");
        }
        else if (line.StartsWith("performing mix test"))
        {
            if (line.Contains("write/read", StringComparison.Ordinal))
                AtMost("2.0.15");
            else
                AtLeast("2.0.16");
        }
        else if (line.StartsWith("stride size:"))
        {
            AtMost("2.0.14");
        }
        else if (line.StartsWith("using sequential I/O") || line.StartsWith("using interlocked"))
        {
            AtLeast("2.0.15");
        }
        else if (line.StartsWith("calculating IOPS stddev") || line.StartsWith("advanced affinity:"))
        {
            AtMost("2.0.15");
        }
        else if (line.StartsWith("gathering IOPS") || line.StartsWith("advanced affinity round"))
        {
            AtLeast("2.0.16");
            if (line[0] == 'a')
                AtMost("2.2");
        }
        else if (
            line.StartsWith("buffer separation:")
            || line.StartsWith("affinity assignment:")
            || line.StartsWith("affinity (")
            || line.StartsWith("using IoRing")
            || line.StartsWith("using BypassIO")
        )
        {
            _isVersion23 = true;
            AtLeast("2.3");
        }
        else
        {
            TakeCaches(line);
        }
    }

    /// <summary>The parameters have ended: from 2.3 on every one of them says how buffers are separated.</summary>
    internal void EndParameters()
    {
        if (_marked && !_isVersion23)
            AtMost("2.2");
    }

    private void TakeCaches(ReadOnlySpan<char> line)
    {
        switch (line)
        {
            case "software and hardware cache disabled" or "using software and hardware cache":
                AtMost("2.0.12");
                break;
            case "software and hardware write cache disabled" or "using software and hardware write cache":
                AtLeast("2.0.14");
                AtMost("2.0.16");
                break;
            case "local software cache disabled, remote caches enabled":
                AtLeast("2.0.16");
                AtMost("2.0.16");
                break;
            case "using software cache"
            or "using hardware write cache, writethrough off"
            or "hardware write cache disabled, writethrough on"
            or "hardware and software write caches disabled, writethrough on"
            or "local software cache disabled, remote cache enabled":
                AtLeast("2.0.17");
                break;
            case "generating random data for each write IO":
                AtLeast("2.0.19");
                break;
        }
    }

    /// <summary>The version or versions it can be; null when nothing showed it.</summary>
    public override string? ToString()
    {
        if (IsLinux)
            return "diskspd-for-linux";
        if (!_marked)
            return null;
        // Marks that contradict each other come from texts put together by hand: the younger one holds.
        var last = Math.Max(_first, _last);
        if (_first == last)
            return s_versions[_first];
        if (last == s_versions.Length - 1)
            return _first == s_versions.Length - 2 ? "2.2 or 2.3" : s_versions[_first] + " or later";
        if (_first == 0)
            return s_versions[last] + " or earlier";
        return s_versions[_first] + (last == _first + 1 ? " or " : " to ") + s_versions[last];
    }
}
