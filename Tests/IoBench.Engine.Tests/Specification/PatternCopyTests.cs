using System.Reflection;

namespace IoBench.Engine.Tests;

/// <summary>Uses reflection, so that new settings are tested automatically.</summary>
public class PatternCopyTests
{
    private static IEnumerable<PropertyInfo> Settings { get; } = typeof(IoPattern).GetProperties().Where(property => property.CanWrite);

    public static TheoryData<string> GetNames() => [.. Settings.Select(property => property.Name)];

    private static object CreateOtherValue(object? value, Type type) =>
        value switch
        {
            bool flag => !flag,
            int number => number + 3,
            Enum name => Enum.GetValues(type).Cast<object>().First(other => !other.Equals(name)),
            List<int> => new List<int> { 3, 5 },
            List<IoObservedFile> => new List<IoObservedFile> { (IoObservedFile)CreateValue(typeof(IoObservedFile)) },
            List<IoDistributionRange> => new List<IoDistributionRange> { new(80, 20) },
            _ => CreateValue(Nullable.GetUnderlyingType(type) ?? type),
        };

    private static object CreateValue(Type type) =>
        type == typeof(string) ? "x"
        : type == typeof(long) ? 4096L
        : type == typeof(double) ? 0.25
        : type == typeof(IoBlockMix) ? IoBlockMix.Parse("8K:60%,64K:40")
        : type == typeof(IoDepths) ? new IoDepths(3, 2)
        : type.GetConstructor([]) is not null ? Activator.CreateInstance(type)!
        : type.GetConstructors()[0] is var constructor
            ? constructor.Invoke([
                .. constructor
                    .GetParameters()
                    .Select(parameter =>
                        parameter.HasDefaultValue ? parameter.DefaultValue
                        : parameter.ParameterType.IsValueType ? Activator.CreateInstance(parameter.ParameterType)
                        : "x"
                    ),
            ])
        : throw new NotSupportedException(type.Name);

    [Theory]
    [MemberData(nameof(GetNames))]
    public void Every_setting_is_copied_and_compared(string name)
    {
        var property = typeof(IoPattern).GetProperty(name)!;
        var from = new IoTestSpecification();
        property.SetValue(from, CreateOtherValue(property.GetValue(from), property.PropertyType));
        Assert.False(from.HasSamePattern(new IoPattern()));
        Assert.False(new IoPattern().HasSamePattern(from));

        var alone = from.ExtractPattern();
        Assert.Equal(typeof(IoPattern), alone.GetType());
        Assert.Equal(property.GetValue(from), property.GetValue(alone));
        Assert.True(alone.HasSamePattern(from));

        var to = new IoTestSpecification
        {
            MaxIopsPerThread = 7,
            AccessPattern = IoAccessPattern.Stride,
            StripeColumns = 8,
            WriteContent = IoWriteContentKind.Zero,
            Processors = [1],
            LargePages = true,
        };
        from.CopyPatternTo(to);
        Assert.True(from.HasSamePattern(to));
    }

    [Fact]
    public void Copy_shares_no_lists()
    {
        var from = new IoPattern { Processors = [1], Distribution = [new IoDistributionRange(80, 20)] };
        var alone = from.ExtractPattern();
        alone.Processors.Add(2);
        alone.Distribution.Clear();
        Assert.Equal([1], from.Processors);
        Assert.Single(from.Distribution);
    }
}
