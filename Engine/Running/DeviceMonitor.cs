namespace IoBench.Engine;

/// <summary>
/// Detects that a raw disk of the run is used by another program. On Linux, an exclusive open prevents that. On Windows, a disk is reserved
/// only while it is offline, and an administrator or a cluster can bring it online at any time.
/// </summary>
internal sealed class DeviceMonitor(IEnumerable<OpenTarget> targets)
{
    private readonly OpenFile[] _devices =
    [
        .. targets.Select(t => t.File).OfType<OpenFile>().Where(f => f.IsWritable && f.Status.Kind == FileKind.BlockDevice).Distinct(),
    ];
    private long _next;

    /// <summary>Checks the disks once per second. Returns the error that ends the run; otherwise null.</summary>
    public IoBenchException? FindNewUser(long now)
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
