using System.Reflection;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>
/// A text with rounded sizes takes the exact sizes from its command line. The tests include all size properties, even those that are added
/// later.
/// </summary>
public class DiskSpdRoundedSizeTests
{
    private const long Rounded = 1468006;
    private const long Exact = 1468416;

    // Sizes that DiskSpd text does not print, rounded or not.
    private static readonly string[] s_notPrinted =
    [
        nameof(IoTestSpecification.StorageCacheSize), // the storage's: of IoBench alone
        nameof(IoTestSpecification.FileSize), // no line has it: taken where the text has none
    ];

    public static TheoryData<string> GetTestSizes() => [.. GetSizeProperties(typeof(IoTestSpecification))];

    public static TheoryData<string> GetTargetSizes() => [.. GetSizeProperties(typeof(IoTargetSpecification))];

    private static IEnumerable<string> GetSizeProperties(Type type) =>
        type.GetProperties(BindingFlags.Public | BindingFlags.Instance)
            .Where(property =>
                property.CanWrite
                && (Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType) == typeof(long)
                && !s_notPrinted.Contains(property.Name)
            )
            .Select(property => property.Name);

    private static IoTestSpecification CreateTest() =>
        new()
        {
            Targets = [new IoTargetSpecification("t.dat")],
            Extension = new TestOrigin { DiskSpd = new DiskSpdOptions() },
        };

    [Theory]
    [MemberData(nameof(GetTestSizes))]
    public void Rounded_test_size_is_restored_from_the_command_line(string name) =>
        AssertRestored(typeof(IoTestSpecification).GetProperty(name)!, test => test);

    [Theory]
    [MemberData(nameof(GetTargetSizes))]
    public void Rounded_target_size_is_restored_from_the_command_line(string name) =>
        AssertRestored(typeof(IoTargetSpecification).GetProperty(name)!, test => test.Targets[0]);

    private static void AssertRestored(PropertyInfo size, Func<IoTestSpecification, object> owner)
    {
        var (printed, given) = (CreateTest(), CreateTest());
        size.SetValue(owner(printed), Rounded);
        size.SetValue(owner(given), Exact);
        DiskSpdRun.MergeOptions(printed, given, hasRoundedSizes: true);
        Assert.Equal(Exact, size.GetValue(owner(printed)));
    }
}
