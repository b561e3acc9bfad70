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
    public void Without_powrprof_there_is_no_power_plan() => Assert.Null(HostFacts.PowerPlan());

    [LinuxFact]
    public unsafe void Without_virtdisk_nothing_is_said_of_virtual_disks()
    {
        using var disk = new SafeFileHandle(-1, ownsHandle: false);
        Assert.Equal(WindowsCalls.ERROR_NOT_SUPPORTED, new WindowsFileCalls().Dependency(disk, null, 0));
    }

    [Theory]
    [InlineData(typeof(SecurityException))]
    [InlineData(typeof(UnauthorizedAccessException))]
    [InlineData(typeof(IOException))]
    public void A_value_that_the_registry_does_not_give_is_unknown(Type refusal) =>
        Assert.Equal(new RegistryValue(false, null), RegistryValue.Read(() => throw (Exception)Activator.CreateInstance(refusal)!));

    [Fact]
    public void A_value_that_is_not_there_is_known_to_be_none()
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
    public void Defender_is_said_to_be_on_only_where_the_registry_could_be_read(
        bool isPolicyKnown,
        string? policy,
        bool isSettingKnown,
        string? setting,
        string expected
    ) => Assert.Equal(expected, DriverFacts.RealTime(new(isPolicyKnown, policy), new(isSettingKnown, setting)));
}
