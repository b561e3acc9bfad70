namespace IoBench.Engine;

/// <summary>Events of a run at which a test can change its files.</summary>
internal enum TestRunEvent
{
    /// <summary>The targets are checked; none is open.</summary>
    Checked,

    /// <summary>The targets are open; nothing records yet that they are written to.</summary>
    Prepared,

    /// <summary>The ownership markers are open; no worker has a handle.</summary>
    Marked,

    /// <summary>Every worker has its handles; no I/O has started.</summary>
    Opened,
}
