using System.Reflection;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>
/// A text with rounded sizes takes the exact sizes from its command line. The tests include all size properties, even those that are added
/// later.
/// </summary>
public class RoundedSizesTests
{
    private const long Rounded = 1468006;
    private const long Exact = 1468416;

    // Sizes that DiskSpd text does not print, rounded or not.
    private static readonly string[] s_notPrinted =
    [
        nameof(IoTestSpecification.StorageCacheSize), // the storage's: of IoBench alone
        nameof(IoTestSpecification.FileSize), // no line has it: taken where the text has none
    ];

    public static TheoryData<string> OfTests() => [.. Sizes(typeof(IoTestSpecification))];

    public static TheoryData<string> OfTargets() => [.. Sizes(typeof(IoTargetSpecification))];

    private static IEnumerable<string> Sizes(Type type) =>
        type.GetProperties(BindingFlags.Public | BindingFlags.Instance)
            .Where(property =>
                property.CanWrite
                && (Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType) == typeof(long)
                && !s_notPrinted.Contains(property.Name)
            )
            .Select(property => property.Name);

    private static IoTestSpecification Test() =>
        new()
        {
            Targets = [new IoTargetSpecification("t.dat")],
            Extension = new TestOrigin { DiskSpd = new DiskSpdOptions() },
        };

    [Theory]
    [MemberData(nameof(OfTests))]
    public void A_size_of_a_test(string name) => Completes(typeof(IoTestSpecification).GetProperty(name)!, test => test);

    [Theory]
    [MemberData(nameof(OfTargets))]
    public void A_size_of_a_target(string name) => Completes(typeof(IoTargetSpecification).GetProperty(name)!, test => test.Targets[0]);

    private static void Completes(PropertyInfo size, Func<IoTestSpecification, object> owner)
    {
        var (printed, given) = (Test(), Test());
        size.SetValue(owner(printed), Rounded);
        size.SetValue(owner(given), Exact);
        MissingParameters.Complete(printed, given, hasRoundedSizes: true);
        Assert.Equal(Exact, size.GetValue(owner(printed)));
    }
}
