namespace IoBench.Engine.Running;

/// <summary>Moments of a run at which a test can do something to its files.</summary>
internal enum RunMoment
{
    /// <summary>The targets were checked, none is open.</summary>
    Checked,

    /// <summary>The targets are open; nothing says that they are written.</summary>
    Prepared,

    /// <summary>The marks are open; no worker has a handle.</summary>
    Marked,

    /// <summary>Every worker has its handles; no I/O was started.</summary>
    Opened,
}
