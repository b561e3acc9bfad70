namespace IoBench.Formats;

/// <summary>Infers DiskSpd's version from its wording, because the text never states it: <c>2.2</c> or <c>2.0.21 to 2.1</c>.</summary>
internal sealed class VersionDetector
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

    /// <summary>Whether the text is from diskspd-for-linux, whose output has no versions.</summary>
    internal bool IsLinux { get; set; }

    internal void AtLeast(string version)
    {
        _marked = true;
        _first = Math.Max(_first, GetIndex(version));
    }

    internal void AtMost(string version)
    {
        _marked = true;
        _last = Math.Min(_last, GetIndex(version));
    }

    // Search from the end, because most clues are for recent versions.
    private static int GetIndex(string version) => Array.LastIndexOf(s_versions, version);

    /// <summary>Ends the parameters. From 2.3, they always state how buffers are separated.</summary>
    internal void EndParameters()
    {
        if (_marked && _first < s_versions.Length - 1)
            AtMost("2.2");
    }

    /// <summary>Returns the possible version or versions; null without any clue.</summary>
    public override string? ToString()
    {
        if (IsLinux)
            return "diskspd-for-linux";
        if (!_marked)
            return null;
        // Clues contradict each other if a text was edited by hand. The more recent version applies.
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
