using System.Text.Json.Serialization.Metadata;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class JsonTestOrigin
{
    public static void Flatten(JsonTypeInfo test)
    {
        var extension = test.Properties.First(p => p.PropertyType == typeof(IoTestExtension));
        var place = test.Properties.IndexOf(extension);
        test.Properties.RemoveAt(place);
        Add(test, place++, "commandLine", o => o.CommandLine, (o, v) => o.CommandLine = v);
        Add(test, place++, "sourceFile", o => o.SourceFile, (o, v) => o.SourceFile = v);
        Add(test, place++, "sourceLine", o => o.SourceLine, (o, v) => o.SourceLine = v);
        Add(test, place++, "outputFile", o => o.OutputFile, (o, v) => o.OutputFile = v);
        Add(test, place++, "diskSpd", o => o.DiskSpd, (o, v) => o.DiskSpd = v);
        Add(test, place, "sqlio", o => o.Sqlio, (o, v) => o.Sqlio = v);
    }

    private static void Add<T>(JsonTypeInfo test, int place, string name, Func<TestOrigin, T?> get, Action<TestOrigin, T?> set)
    {
        var property = JsonMetadataServices.CreatePropertyInfo(
            test.Options,
            new JsonPropertyInfoValues<T?>
            {
                IsProperty = true,
                IsPublic = true,
                DeclaringType = typeof(IoTestSpecification),
                PropertyName = name,
                JsonPropertyName = name,
                Getter = owner => ((IoTestSpecification)owner).Extension is TestOrigin origin ? get(origin) : default,
                Setter = (owner, value) =>
                {
                    if (value is not null)
                        set(((IoTestSpecification)owner).Origin(), value);
                },
            }
        );
        property.ShouldSerialize = (_, value) => value is not null;
        test.Properties.Insert(place, property);
    }
}
