function ConvertFrom-IoCommandLine {
    [CmdletBinding(DefaultParameterSetName = 'CommandLine')]
    [OutputType([IoBench.Engine.IoTestSpecification])]
    param(
        # Command lines of sqlio or diskspd.
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'CommandLine', ValueFromPipeline)]
        [AllowEmptyString()]
        [string[]] $CommandLine,

        # Batch files, files of command lines, DiskSpd XML profiles.
        [Parameter(Mandatory, ParameterSetName = 'Path')]
        [SupportsWildcards()]
        [string[]] $Path,

        [Parameter(Mandatory, ParameterSetName = 'LiteralPath', ValueFromPipelineByPropertyName)]
        [Alias('PSPath', 'FullName')]
        [string[]] $LiteralPath
    )

    begin {
        $lines = [System.Collections.Generic.List[string]]::new()
    }

    process {
        if ($PSCmdlet.ParameterSetName -eq 'CommandLine') {
            $lines.AddRange($CommandLine)
            return
        }
        foreach ($file in Resolve-IoPath -Path $Path -LiteralPath $LiteralPath -Cmdlet $PSCmdlet) {
            $read = [IoBench.Loader.Attempt]::ReadCommandFile($file)
            if ($read.Error) {
                $PSCmdlet.WriteError((ConvertTo-IoErrorRecord -ErrorObject $read.Error -TargetObject $file))
                continue
            }
            foreach ($note in $read.Value.Notes) { $PSCmdlet.WriteWarning($note) }
            $read.Value.Specifications
        }
    }

    end {
        if ($lines.Count -eq 0) {
            return
        }
        # Together, as a batch file is: lines set variables for the next, or go on in it.
        $read = [IoBench.Loader.Attempt]::ReadCommandLine($lines -join "`n", $PSCmdlet.SessionState.Path.CurrentFileSystemLocation.ProviderPath)
        if ($read.Error) {
            $PSCmdlet.WriteError((ConvertTo-IoErrorRecord -ErrorObject $read.Error))
            return
        }
        foreach ($note in $read.Value.Notes) { $PSCmdlet.WriteWarning($note) }
        $read.Value.Specifications
    }
}
