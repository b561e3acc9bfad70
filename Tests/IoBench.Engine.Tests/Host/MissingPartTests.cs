using System.Security;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Tests;

/// <summary>
/// Windows editions without a library, and accounts without access to the registry: missing values are unknown and nothing fails.
/// </summary>
public class MissingPartTests
{
    // Linux has none of the Windows libraries, so the loader fails to find them, as on Nano Server.
    [LinuxFact]
    public void Power_plan_is_null_without_powrprof() => Assert.Null(HostFacts.GetPowerPlan());

    [LinuxFact]
    public unsafe void Virtual_disk_query_is_unsupported_without_virtdisk()
    {
        using var disk = new SafeFileHandle(-1, ownsHandle: false);
        Assert.Equal(WindowsCalls.ERROR_NOT_SUPPORTED, new WindowsFileCalls().GetDependency(disk, null, 0));
    }

    [Theory]
    [InlineData(typeof(SecurityException))]
    [InlineData(typeof(UnauthorizedAccessException))]
    [InlineData(typeof(IOException))]
    public void Registry_value_is_unknown_when_reading_fails(Type refusal) =>
        Assert.Equal(new RegistryValue(false, null), RegistryValue.Read(() => throw (Exception)Activator.CreateInstance(refusal)!));

    [Fact]
    public void Missing_registry_value_is_known_to_be_absent()
    {
        Assert.Equal(new RegistryValue(true, null), RegistryValue.Read(() => null));
        Assert.Equal(new RegistryValue(true, "1"), RegistryValue.Read(() => "1"));
    }

    [Theory]
    [InlineData(true, null, true, null, "on")]
    [InlineData(true, null, true, "1", "off")]
    [InlineData(true, "0", true, "1", "on")]
    [InlineData(true, "1", false, null, "off")]
    [InlineData(false, null, true, "0", "unknown")]
    [InlineData(true, null, false, null, "unknown")]
    public void Defender_is_reported_as_on_only_if_the_registry_is_readable(
        bool isPolicyKnown,
        string? policy,
        bool isSettingKnown,
        string? setting,
        string expected
    ) => Assert.Equal(expected, HostFacts.DescribeRealTimeProtection(new(isPolicyKnown, policy), new(isSettingKnown, setting)));
}
