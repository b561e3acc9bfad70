namespace IoBench.Engine.Running;

/// <summary>
/// Whether the raw disks that a run writes are still its own. On Linux an exclusive open holds them; on Windows a disk is ours while it is offline, and an
/// administrator or a cluster may bring it online at any moment.
/// </summary>
/// <param name="targets">What the run has open.</param>
internal sealed class DeviceWatch(IEnumerable<OpenTarget> targets)
{
    private readonly OpenFile[] _devices =
    [
        .. targets.Select(t => t.File).OfType<OpenFile>().Where(f => f.IsWritable && f.Status.Kind == FileKind.BlockDevice).Distinct(),
    ];
    private long _next;

    /// <summary>Looks once a second; the error to end the run with, or null while all is well.</summary>
    /// <param name="now">On the run's clock, in nanoseconds.</param>
    public IoBenchException? Look(long now)
    {
        if (_devices.Length == 0 || now < _next)
            return null;
        _next = now + Clock.Second;
        foreach (var device in _devices)
            if (RawDevice.FindNewUser(device.Handle, device.Path) is { } user)
                return IoBenchException.Refused(
                    "IoBench.DeviceInUse",
                    $"{device.Path} was taken while the test wrote to it: {user}. The test was ended at once; what is on the disk now is not to be trusted.",
                    device.Path
                );
        return null;
    }
}
